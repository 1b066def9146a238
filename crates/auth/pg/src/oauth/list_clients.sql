-- $1 the client before which they registered, or null. $2 how many
SELECT c.id, c.name, c.redirect_uris, c.auth_method, c.verified_at IS NOT NULL AS is_verified, c.created_at,
    g.grants, g.last_used_at
FROM (
    -- Ids sort by the time that they were made at.
    SELECT * FROM oauth_clients
    WHERE $1::uuid IS NULL OR id < $1
    ORDER BY id DESC
    LIMIT $2
) AS c
CROSS JOIN LATERAL (
    SELECT count(*) AS grants, max(last_used_at) AS last_used_at
    FROM oauth_grants
    WHERE client_id = c.id AND revoked_at IS NULL
) AS g
ORDER BY c.id DESC
