-- Jobs: the truth about work. The broker only carries hints.

create table jobs (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('index-file', 'full-reindex', 'execute-tool')),
    -- Each class has a queue of its own: people wait for 'interactive', nobody for 'bulk', agents for 'calls'.
    class text not null check (class in ('interactive', 'bulk', 'calls')),
    realm_id bigint references realms on delete cascade,
    path text,
    -- At most one queued job has it; none for work that is never merged.
    coalesce_key text,
    state text not null default 'queued'
        check (state in ('queued', 'running', 'failed', 'dead', 'cancelled', 'superseded', 'succeeded')),
    change_seq bigint not null,
    -- Computes even what has not changed.
    force boolean not null default false,
    args jsonb not null default '{}',
    -- How often it failed for reasons that pass, and how often its worker was lost while it ran alone.
    attempts integer not null default 0,
    lone_losses integer not null default 0,
    -- Its last lease ended by loss: it is claimed alone, so that it takes no neighbour along.
    was_lost boolean not null default false,
    run_at timestamptz not null default now(),
    -- Published, and not due again before then; and how often that was.
    offered_until timestamptz,
    offers integer not null default 0,
    worker text,
    lease_token uuid,
    lease_until timestamptz,
    cancel_requested boolean not null default false,
    error text,
    created_at timestamptz not null default now(),
    started_at timestamptz,
    finished_at timestamptz,
    check ((state = 'running') = (lease_token is not null)),
    check (kind <> 'index-file' or (realm_id is not null and path is not null)),
    check (kind <> 'full-reindex' or realm_id is not null)
);

create unique index jobs_queued_once on jobs (coalesce_key) where state = 'queued' and coalesce_key is not null;
-- What is due, fairly: by class and realm, oldest first.
create index jobs_due on jobs (class, realm_id, run_at, id) where state = 'queued';
create index jobs_open_of_file on jobs (realm_id, path) where state in ('queued', 'running');
create index jobs_leased on jobs (lease_until) where state = 'running';
create index jobs_open_of_realm on jobs (realm_id, change_seq) where state in ('queued', 'running');
