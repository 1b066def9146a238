SELECT (
    SELECT count(*) FROM uptime_checks AS c
    WHERE c.domain_id = $1 AND c.checked_at >= stretch.starts_at AND c.checked_at < stretch.ends_at
) AS total
FROM unnest($2, $3) WITH ORDINALITY AS stretch (starts_at, ends_at, place)
ORDER BY stretch.place
