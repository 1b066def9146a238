WITH due AS MATERIALIZED (
    SELECT r.name
    FROM domain_registrations AS r
    WHERE r.next_check_at <= $1
        AND (r.leased_until IS NULL OR r.leased_until <= $1)
        AND EXISTS (
            SELECT
            FROM uptime_monitors AS m
            JOIN domains AS d ON d.id = m.domain_id
            WHERE m.registrable_domain = r.name AND m.enabled AND d.deleted_at IS NULL
        )
    ORDER BY r.next_check_at
    LIMIT $3
    FOR UPDATE OF r SKIP LOCKED
)
UPDATE domain_registrations AS r
SET leased_until = $2
FROM due
WHERE r.name = due.name
RETURNING r.name, r.answer, r.changes, r.failures, r.leased_until
