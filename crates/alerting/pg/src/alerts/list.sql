-- Of a live domain, or of each workspace the newest, as far as a page may reach; each read by its index.
-- $3, $4: the position, or the beginning.
FROM (
    (
        SELECT * FROM alert_history
        -- Without a domain nothing is looked at, by whatever index.
        WHERE $1 IS NOT NULL AND domain_id = $1 AND (fired_at, id) < ($3, $4)
        ORDER BY fired_at DESC, id DESC
        LIMIT $5
    )
    UNION ALL
    SELECT own.*
    FROM unnest($2) AS w (id)
    CROSS JOIN LATERAL (
        SELECT h.* FROM alert_history AS h
        WHERE h.workspace_id = w.id AND (h.fired_at, h.id) < ($3, $4)
            -- Asked of each row in turn, until the page is full.
            AND (SELECT d.deleted_at IS NULL FROM domains AS d WHERE d.id = h.domain_id)
        ORDER BY h.fired_at DESC, h.id DESC
        LIMIT $5
    ) AS own
) AS h
JOIN domains AS d ON d.id = h.domain_id
JOIN workspaces AS w ON w.id = h.workspace_id
ORDER BY h.fired_at DESC, h.id DESC
LIMIT $5
