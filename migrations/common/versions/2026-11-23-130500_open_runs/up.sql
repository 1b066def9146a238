-- Runs that are open for how long, and jobs that are kept as long as theirs is.
-- Locks: SHARE on runs while an index is made of those that are open.

CREATE INDEX runs_open_idx ON runs (requested_at) WHERE status IN ('queued', 'running');
COMMENT ON TABLE jobs IS
    'Work that is done later. Written in the transaction that asks for it; kept 7 days once succeeded, 90 once dead, and as long as its run is open.';
COMMENT ON COLUMN runs.finished_at IS 'When the last of its jobs was over, or it was canceled; no later than about 30 days after it was asked for.';
