-- One that is being written at the moment is left for the next time: whoever ends many runs locks them in an order of their own.
UPDATE report_runs
SET has_result = false
WHERE run_id = ANY(ARRAY(SELECT run_id FROM report_runs WHERE run_id = ANY($1) FOR NO KEY UPDATE SKIP LOCKED))
