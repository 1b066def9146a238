-- Takes back the index of runs that are open.
-- Locks: ACCESS EXCLUSIVE on runs for a moment.

DROP INDEX runs_open_idx;
COMMENT ON TABLE jobs IS
    'Work that is done later. Written in the transaction that asks for it; kept 7 days once succeeded, 90 once dead.';
COMMENT ON COLUMN runs.finished_at IS 'When the last of its jobs was over, or it was canceled.';
