-- Takes back the indexes by which jobs of no lane are a lane of their own.
-- Locks: ACCESS EXCLUSIVE on jobs, a table that keeps a few days, while two indexes are made.

DROP INDEX jobs_due_idx, jobs_turns_idx;
CREATE INDEX jobs_due_idx ON jobs (lane, coalesce(leased_until, run_at)) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_turns_idx ON jobs (lane, workspace_id, coalesce(leased_until, run_at))
    WHERE state IN ('queued', 'running');
