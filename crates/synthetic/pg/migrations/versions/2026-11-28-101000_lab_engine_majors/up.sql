-- Tests of two major versions of Lighthouse are not put together, so the version is read for each of many.
-- Locks: ACCESS EXCLUSIVE on synthetic_runs while its rows are written.

ALTER TABLE synthetic_runs
    ADD COLUMN engine_major text GENERATED ALWAYS AS (nullif(split_part(summary ->> 'engine_version', '.', 1), '')) STORED;
COMMENT ON COLUMN synthetic_runs.engine_major IS
    'The major version of Lighthouse, which decides how scores are weighed; null: it is not known, or there is no result.';
