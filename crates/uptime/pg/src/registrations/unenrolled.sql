SELECT m.domain_id, d.hostname
FROM uptime_monitors AS m
JOIN domains AS d ON d.id = m.domain_id
WHERE m.registrable_domain IS NULL AND m.enabled AND d.deleted_at IS NULL
    -- Those whose name can't be read must not take all places again and again.
    AND NOT EXISTS (
        SELECT
        FROM set_aside AS s
        WHERE s.kind = 'hostname' AND s.subject = m.domain_id::text AND s.last_at > now() - interval '1 hour'
    )
LIMIT $1
-- Who completes checks holds several of these rows; the next round will do.
FOR NO KEY UPDATE OF m SKIP LOCKED
