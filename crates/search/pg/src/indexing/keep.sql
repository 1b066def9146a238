UPDATE indexing_run_urls AS w
SET status = k.status, error_code = k.error_code, inspected_at = k.inspected_at, inspection = k.inspection
FROM jsonb_to_recordset($2) AS k (
    place integer, status text, error_code text, inspected_at timestamptz, inspection jsonb
)
WHERE w.run_id = $1 AND w.place = k.place AND w.status IS NULL
