-- Files of lab tests are deleted by what their runs say, and not by a listing of all that is kept.
-- Locks: ACCESS EXCLUSIVE on synthetic_runs while the runs of 120 days are told until when their files are kept, and the index is made.

ALTER TABLE synthetic_runs ADD COLUMN files_until timestamptz;
-- Nodes of the version before write results without it, and their files go a day later.
ALTER TABLE synthetic_runs ALTER COLUMN files_until SET DEFAULT now() + interval '91 days';
-- The files of older ones are gone, unless no node has deleted any for a month.
UPDATE synthetic_runs
SET files_until = coalesce(images_until, coalesce(started_at, now()) + interval '91 days')
WHERE started_at > now() - interval '120 days' OR finished_at IS NULL;
CREATE INDEX synthetic_runs_files_idx ON synthetic_runs (files_until) WHERE files_until IS NOT NULL;
COMMENT ON COLUMN synthetic_runs.files_until IS
    'Until when its pictures and all that Lighthouse wrote are kept, as far as there are any; null: they are gone.';
COMMENT ON INDEX synthetic_runs_files_idx IS 'Finds runs whose files are kept no longer.';
