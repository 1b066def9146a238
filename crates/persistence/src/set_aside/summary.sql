SELECT DISTINCT ON (kind)
    kind,
    count(*) OVER of_kind AS things,
    (sum(times) OVER of_kind)::bigint AS times,
    last_at,
    subject,
    reason,
    last_at > now() - interval '1 day' AS is_recent
FROM set_aside
WINDOW of_kind AS (PARTITION BY kind)
ORDER BY kind, last_at DESC
