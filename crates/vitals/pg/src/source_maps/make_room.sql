DELETE FROM rum_source_maps AS s
USING (
    SELECT m.script, m.release, row_number() OVER newest AS place, sum(m.bytes) OVER newest AS bytes
    FROM rum_source_maps AS m
    WHERE m.domain_id = $1
    WINDOW newest AS (ORDER BY m.uploaded_at DESC, m.script, m.release)
) AS kept
WHERE s.domain_id = $1 AND s.script = kept.script AND s.release = kept.release AND (kept.place > $2 OR kept.bytes > $3)
