-- The index served: who may do what with a realm, whose tokens hold, and what readers search for.

-- Who, besides its owner, may change a realm and have it worked on; '*' is everyone, 'users' are all who say who they are.
create table realm_writers (
    realm_id bigint not null references realms on delete cascade,
    writer text not null check (writer <> ''),
    primary key (realm_id, writer)
);

-- Whoever's tokens were revoked: those issued before then are refused.
create table revoked_sessions (
    username text primary key check (username <> ''),
    revoked_at timestamptz not null default now()
);

-- Tokens of operators: of each only its SHA-256 is kept.
create table operator_tokens (
    id bigint generated always as identity primary key,
    name text not null unique check (name <> ''),
    digest bytea not null unique check (octet_length(digest) = 32),
    scopes text[] not null check (scopes <@ array['read', 'reindex', 'approve', 'admin'] and scopes <> '{}'),
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    last_used_at timestamptz
);

-- Words by their stems. Without a list of words that say nothing: an embedded Postgres has none of those files.
create text search dictionary english_stems (template = snowball, language = english);
create text search configuration skill_words (copy = simple);
alter text search configuration skill_words
    alter mapping for asciiword, asciihword, hword_asciipart, word, hword, hword_part with english_stems;

-- What a skill is searched by. A name or description that would be too long for the index is cut.
alter table files add column words tsvector generated always as (
    case when document is not null and (tools_declared is not null or path ~ '(^|/)SKILL\.md$') then
        setweight(to_tsvector('skill_words', left(coalesce(document #>> '{data,attributes,frontmatter,name}',
            document #>> '{data,attributes,frontmatter,rawContent,name}', document #>> '{data,attributes,title}', ''), 10000)), 'A')
        || setweight(to_tsvector('skill_words', left(coalesce(document #>> '{data,attributes,frontmatter,description}',
            document #>> '{data,attributes,frontmatter,rawContent,description}', document #>> '{data,attributes,excerpt}', ''), 10000)), 'B')
        || setweight(to_tsvector('simple', left(coalesce(document #>> '{data,attributes,kind}', ''), 1000)), 'C')
    end
) stored;
create index files_words on files using gin (words) where words is not null;
-- What changed lately, for those who follow.
create index files_changed on files (greatest(changed_at, indexed_at));

-- The view of 0003, where 'users' may read: every realm's owner is one of them.
create or replace view broken_edges as
select edges.source_id, edges.target_id, edges.state as edge_state, edges.digest as edge_digest,
       edges.state = 'denied' or rights.is_denied as is_about_rights
from edges
join files target on target.id = edges.target_id
join files source on source.id = edges.source_id
left join realms of_target on of_target.id = target.realm_id
left join realms of_source on of_source.id = source.realm_id
cross join lateral (
    select coalesce(of_source.id <> of_target.id and (of_target.archived_at is not null
        or of_source.owner <> of_target.owner and not exists (
            select from realm_readers reader
            where reader.realm_id = of_target.id and reader.reader in ('*', 'users', of_source.owner))), false) as is_denied
) rights
where of_source.archived_at is null and source.error is null and case
    when rights.is_denied then edges.state <> 'denied'
    when edges.state = 'denied' then true
    when target.error is not null and target.state <> 'forbidden'
        then target.retry_at is null and target.changed_at > source.computed_at
    when edges.state = 'read' then target.state <> 'present' or target.digest <> edges.digest
    when edges.state = 'absent' then target.state <> 'absent'
    when edges.state = 'forbidden' then target.state <> 'forbidden'
    else target.state <> 'unread' and target.changed_at > source.computed_at
end;

-- Looks at files' rows, one for each question and in that order, or one of nothing but the registry. It runs for every
-- request, so its plan is kept, and has to be right whatever the tables hold by then: a scan of a table that was empty
-- when it was planned never is, and the order of paths leaves but one index of jobs.
create function look_at_files(realms bigint[], paths text[])
returns table (registry_version bigint, id bigint, version bigint, change_seq bigint, is_there boolean, is_good boolean, is_open boolean)
language plpgsql stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
    return query
    select registry.version, f.id, f.xmin::text::bigint, f.change_seq,
           coalesce(f.state in ('present', 'forbidden'), false),
           coalesce(f.state = 'present' and f.document is not null and f.error is null, false),
           coalesce((select jobs.path from jobs
                     where jobs.realm_id = asked.realm_id and jobs.path >= asked.path
                         and jobs.kind = 'index-file' and jobs.state in ('queued', 'running')
                     order by jobs.path limit 1) = asked.path, false)
    from registry
    left join unnest(realms, paths) with ordinality as asked (realm_id, path, nth) on true
    left join files f on f.realm_id = asked.realm_id and f.path = asked.path
    where registry.is_only
    order by asked.nth;
end $$;

-- Skills of some realms that words are found in, the best first. An index of words is only ever read by a bitmap, which
-- connections have turned off for the sake of queues. How many a word finds depends on the word: it is planned for each.
create function matching_skills(sought_words text, realms bigint[], at_most bigint, after bigint)
returns table (realm_id bigint, path text, name text, description text, kind text, tools_declared integer, tools_stamped integer)
language plpgsql stable
set enable_bitmapscan = on
set plan_cache_mode = force_custom_plan
as $$
begin
    return query
    select f.realm_id, f.path,
           coalesce(f.document #>> '{data,attributes,frontmatter,name}',
                    f.document #>> '{data,attributes,frontmatter,rawContent,name}',
                    f.document #>> '{data,attributes,title}', ''),
           coalesce(f.document #>> '{data,attributes,frontmatter,description}',
                    f.document #>> '{data,attributes,frontmatter,rawContent,description}',
                    f.document #>> '{data,attributes,excerpt}', ''),
           f.document #>> '{data,attributes,kind}', f.tools_declared, f.tools_stamped
    from files f
    join realms r on r.id = f.realm_id
    cross join websearch_to_tsquery('skill_words', sought_words) as sought
    where f.words @@ sought and f.realm_id = any(realms) and f.state = 'present' and f.error is null
    order by ts_rank_cd(f.words, sought) desc, r.url, f.path limit at_most offset after;
end $$;
