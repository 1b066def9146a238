-- Lists of runs of a kind by how far they are.
-- Locks: SHARE on runs while the index is made.

CREATE INDEX runs_status_idx ON runs (domain_id, kind, status, requested_at, id) INCLUDE (expires_at);
COMMENT ON INDEX runs_status_idx IS
    'Serves lists of one status. A run that has expired is told by expires_at until upkeep has seen it.';
