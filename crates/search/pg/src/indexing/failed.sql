UPDATE indexing_urls AS u
SET failures = u.failures + n.counts::integer, last_error_code = n.code,
    next_inspection_at = coalesce(n.next_inspection_at, u.next_inspection_at)
FROM jsonb_to_recordset($1) AS n (id uuid, code text, next_inspection_at timestamptz, counts boolean)
WHERE u.id = n.id
