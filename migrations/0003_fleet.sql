-- The fleet: whose realms are, who may read them, and what became of each request to index a whole realm.

-- Whoever owns a realm: its skills' tools are loaded with this name's rights.
alter table realms add column owner text not null default 'operator';
-- Since when it is neither indexed nor read by others.
alter table realms add column archived_at timestamptz;

-- Who, besides its owner, may read a realm's files; '*' is everyone.
create table realm_readers (
    realm_id bigint not null references realms on delete cascade,
    reader text not null check (reader <> ''),
    primary key (realm_id, reader)
);
insert into realm_readers (realm_id, reader) select id, '*' from realms;

-- What was last announced of a package that is deployed as a whole.
alter table packages add column version text;

-- Grows with every change of realms, readers and packages: whoever knows them by an older number asks again.
create table registry (
    is_only boolean primary key default true check (is_only),
    version bigint not null default 1
);
insert into registry default values;

-- An edge may also say that the other realm's owner does not let this one's read it.
alter table edges drop constraint edges_state_check;
alter table edges add constraint edges_state_check
    check (state in ('read', 'absent', 'forbidden', 'denied', 'refused', 'unreachable'));

-- The invariant, turned round: edges that do not say what their target is now. What could not be read at all says
-- nothing, until the target is seen to change. What is archived is left as it is, and so is a row that could not be
-- made anew: it says so, and is looked at again for that. A target of which nobody can say what it is now is looked at
-- once more where that is not just for a while.
drop view broken_edges;
--
-- Whether files of one realm may be loaded for another's sake: files outside of every realm are open, those of a realm
-- are its owner's and its readers', those of an archived one only its own.
create view broken_edges as
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
            where reader.realm_id = of_target.id and reader.reader in ('*', of_source.owner))), false) as is_denied
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

-- Requests to index a whole realm, and what became of each.
create table reindexes (
    id bigint generated always as identity primary key,
    realm_id bigint not null references realms on delete cascade,
    -- The job that lists the realm. It is gone once it did.
    job_id bigint not null,
    reason text not null,
    force boolean not null,
    allow_mass_delete boolean not null,
    requested_at timestamptz not null default now(),
    -- The change that the realm was listed for: it is complete when no open job of the realm is for an older one.
    change_seq bigint,
    listed_at timestamptz,
    listed integer,
    planned integer,
    finished_at timestamptz,
    outcome text check (outcome in ('done', 'stopped', 'failed', 'cancelled')),
    error text,
    check ((outcome is null) = (finished_at is null))
);
create index reindexes_open on reindexes (realm_id) where outcome is null;
create index reindexes_job on reindexes (job_id) where outcome is null;
create index reindexes_of_realm on reindexes (realm_id, id desc);

-- How many offers of a class stand, without a look at its backlog.
create index jobs_offered on jobs (class, offered_until) where state = 'queued' and offered_until is not null;
-- What ended badly and was not tried again since.
create index jobs_dead on jobs (coalesce_key) where state in ('dead', 'failed');
create index jobs_finished on jobs (finished_at) where state not in ('queued', 'running');
-- Tombstones, the oldest first.
create index files_tombstones on files (read_at) where state = 'absent';
-- Files that have other bytes than their rows were computed from: few, and for a short while.
create index files_outdated on files (realm_id, path)
    where state = 'present' and error is null and digest is distinct from computed_from;
-- Those of 0002 for what is asked of files alone: for offers, which go from realm to realm within a class, they would
-- be the wrong way, past all jobs of other classes.
drop index jobs_open_of_file;
create index jobs_open_of_file on jobs (realm_id, path) where kind = 'index-file' and state in ('queued', 'running');
drop index jobs_open_of_realm;
create index jobs_open_of_realm on jobs (realm_id, change_seq)
    where kind = 'index-file' and state in ('queued', 'running');
