-- The last that was there by then; else the first that came after.
SELECT DISTINCT ON (s.script) s.script, s.map
FROM rum_source_maps AS s
WHERE s.domain_id = $1 AND s.script = ANY ($2)
ORDER BY s.script, s.uploaded_at <= $3 DESC, abs(extract(epoch FROM s.uploaded_at - $3)), s.release
