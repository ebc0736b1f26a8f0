-- The index: realms, their files, what each file's row was computed from, and what is wrong with it.

-- Grows with every change taken in.
create sequence change_seq as bigint;

create table realms (
    id bigint generated always as identity primary key,
    url text not null unique check (url like '%/'),
    -- Where its bytes are: a `file:`, `http:` or `https:` URL.
    source text not null check (source like '%/'),
    created_at timestamptz not null default now(),
    -- When a pass over the whole realm last ended.
    indexed_at timestamptz
);

-- The package map: which prefix is read from where, or as which other prefix.
create table packages (
    prefix text primary key check (prefix like '%/'),
    kind text not null check (kind in ('root', 'alias')),
    target text not null check (target like '%/')
);

create table files (
    id bigint generated always as identity primary key,
    -- Its canonical id: the URL below its realm, or the name below its package's prefix.
    module_id text not null unique,
    -- None for a file that is only known because something depends on it.
    realm_id bigint references realms on delete cascade,
    path text,
    -- 'unread' until its bytes, or their absence, were seen by anyone.
    state text not null check (state in ('unread', 'present', 'absent', 'forbidden')),
    -- SHA-256 of its bytes.
    digest bytea check (octet_length(digest) = 32),
    size bigint,
    -- Unix seconds, as the source tells them.
    modified bigint,
    created bigint,
    change_seq bigint not null,
    -- When its state was last looked at, and when something new of it was last written.
    read_at timestamptz not null,
    changed_at timestamptz not null,
    -- What was computed of it; kept when a later reading fails.
    document jsonb,
    search jsonb,
    tools_declared integer,
    tools_stamped integer,
    indexed_at timestamptz,
    -- When the reading that it was computed from began.
    computed_at timestamptz,
    duration_ms bigint,
    -- The digest of the bytes that it was computed from.
    computed_from bytea check (octet_length(computed_from) = 32),
    -- Which version of realmdex computed that, and under which package map if it mattered.
    indexer text,
    packages text,
    -- Why it could not be read this time.
    error text,
    -- When to try again, by itself, what failed for reasons that pass.
    retry_at timestamptz,
    retries integer not null default 0,
    check ((state = 'present') = (digest is not null)),
    check ((realm_id is null) = (path is null)),
    unique (realm_id, path)
);

create index files_retry on files (retry_at) where retry_at is not null;

-- Row `source_id` was computed from file `target_id`, which was then found like this.
create table edges (
    source_id bigint not null references files on delete cascade,
    target_id bigint not null references files deferrable initially deferred,
    state text not null check (state in ('read', 'absent', 'forbidden', 'refused', 'unreachable')),
    digest bytea check (octet_length(digest) = 32),
    primary key (source_id, target_id),
    check ((state = 'read') = (digest is not null))
);

create index edges_target on edges (target_id);

-- The invariant, turned round: edges that do not say what their target is now. What could not be read at all says
-- nothing, until the target is seen to change.
create view broken_edges as
select edges.source_id, edges.target_id, edges.state as edge_state, edges.digest as edge_digest
from edges
join files target on target.id = edges.target_id
join files source on source.id = edges.source_id
where case edges.state
    when 'read' then target.state <> 'present' or target.digest <> edges.digest
    when 'absent' then target.state <> 'absent'
    when 'forbidden' then target.state <> 'forbidden'
    else target.state <> 'unread' and target.changed_at > source.computed_at
end;

create table findings (
    file_id bigint not null references files on delete cascade,
    ordinal integer not null,
    kind text not null,
    message text not null,
    line integer,
    col integer,
    module text,
    name text,
    transient boolean not null,
    primary key (file_id, ordinal)
);

-- Definitions by what asks for them, each valid while its manifest is.
create table definitions (
    -- SHA-256 of the code reference, the version, the package map and whose rights were used.
    key bytea primary key check (octet_length(key) = 32),
    -- Every file that was looked for, and how it was found.
    manifest jsonb not null,
    definition jsonb not null,
    stored_at timestamptz not null default now()
);
