-- Pages that a clock has planned which has been set back since.
-- Locks: SHARE on synthetic_urls while the index is made.

CREATE INDEX synthetic_urls_planned_idx ON synthetic_urls (planned_at) WHERE planned_at IS NOT NULL;
COMMENT ON INDEX synthetic_urls_planned_idx IS 'Finds pages that were planned later than now.';
