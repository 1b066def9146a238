-- The steps of upkeep that fail, for operators.
-- Locks: creates a table only.

CREATE TABLE upkeep_failures (
    step text PRIMARY KEY,
    reason text NOT NULL,
    first_at timestamptz NOT NULL DEFAULT now(),
    last_at timestamptz NOT NULL DEFAULT now(),
    times bigint NOT NULL DEFAULT 1 CHECK (times > 0)
);
COMMENT ON TABLE upkeep_failures IS 'The steps of upkeep that failed the last time. A step that is done has no row.';
COMMENT ON COLUMN upkeep_failures.step IS 'The name of the step in the log.';
COMMENT ON COLUMN upkeep_failures.reason IS 'Why it failed the last time.';
COMMENT ON COLUMN upkeep_failures.first_at IS 'When it failed first since it was done.';
COMMENT ON COLUMN upkeep_failures.times IS 'How often it has failed since then, on whichever node.';
