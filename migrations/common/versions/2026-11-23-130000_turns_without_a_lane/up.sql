-- Jobs of no lane are a lane of their own for whoever claims, so that workspaces take turns there, too.
-- Locks: ACCESS EXCLUSIVE on jobs, a table that keeps a few days, while two indexes are made.

DROP INDEX jobs_due_idx, jobs_turns_idx;
-- When a job can be claimed: at its time, or when the lease of who has it is over. Claims read it lane by lane.
CREATE INDEX jobs_due_idx ON jobs (coalesce(lane, ''), coalesce(leased_until, run_at))
    WHERE state IN ('queued', 'running');
CREATE INDEX jobs_turns_idx ON jobs (coalesce(lane, ''), workspace_id, coalesce(leased_until, run_at))
    WHERE state IN ('queued', 'running');
