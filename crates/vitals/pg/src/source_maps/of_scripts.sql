-- The last that was there by then; else the first that came within a day. A later one is of another release.
SELECT DISTINCT ON (s.script) s.script, s.map
FROM rum_source_maps AS s
WHERE s.domain_id = $1 AND s.script = ANY ($2) AND s.uploaded_at <= $3 + interval '1 day'
ORDER BY s.script, s.uploaded_at <= $3 DESC, abs(extract(epoch FROM s.uploaded_at - $3)), s.release
