SELECT
    m.settings,
    c.sighting,
    -- While nothing changes the row stays as it is, though every check sees the same.
    greatest(
        c.checked_at,
        (
            SELECT max((s.state ->> 'last_check_at')::timestamptz)
            FROM uptime_region_states AS s
            WHERE s.domain_id = m.domain_id
        )
    ) AS checked_at
FROM uptime_monitors AS m
LEFT JOIN uptime_certificates AS c ON c.domain_id = m.domain_id
WHERE m.domain_id = $1
