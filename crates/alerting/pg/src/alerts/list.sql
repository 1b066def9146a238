-- The alerts of a live domain, or the newest of each workspace, as far as a page may reach; each found by its index alone.
-- $3, $4: the position, or the beginning.
FROM (
    SELECT found.id
    FROM (
        (
            SELECT h.id, h.fired_at FROM alert_history AS h
            -- Without a domain nothing is looked at, by whatever index.
            WHERE $1 IS NOT NULL AND h.domain_id = $1 AND (h.fired_at, h.id) < ($3, $4)
            ORDER BY h.fired_at DESC, h.id DESC
            LIMIT $5
        )
        UNION ALL
        SELECT own.id, own.fired_at
        FROM unnest($2) AS w (id)
        CROSS JOIN LATERAL (
            SELECT h.id, h.fired_at FROM alert_history AS h
            WHERE h.workspace_id = w.id
                -- Read once a workspace, not once a row: what a deleted domain has left may be much.
                AND h.domain_id <> ALL (ARRAY(
                    SELECT d.id FROM domains AS d WHERE d.workspace_id = w.id AND d.deleted_at IS NOT NULL
                ))
                -- With both bounds the planner takes the range for a small part of the table.
                AND h.fired_at >= (SELECT '-infinity'::timestamptz) AND h.fired_at <= (SELECT 'infinity'::timestamptz)
                AND (h.fired_at, h.id) < ($3, $4)
            ORDER BY h.fired_at DESC, h.id DESC
            LIMIT $5
        ) AS own
    ) AS found
    ORDER BY found.fired_at DESC, found.id DESC
    LIMIT $5
) AS page
JOIN alert_history AS h ON h.id = page.id
JOIN domains AS d ON d.id = h.domain_id
JOIN workspaces AS w ON w.id = h.workspace_id
ORDER BY h.fired_at DESC, h.id DESC
