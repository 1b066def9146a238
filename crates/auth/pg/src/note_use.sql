WITH used AS (
    SELECT * FROM unnest($1, $2) AS used (id, at)
), keys AS (
    UPDATE api_keys AS k
    SET last_used_at = used.at
    FROM used
    WHERE k.id = used.id
        AND (k.last_used_at IS NULL OR k.last_used_at <= used.at - interval '1 minute')
)
UPDATE oauth_grants AS g
SET last_used_at = used.at
FROM used
WHERE g.id = used.id
    AND (g.last_used_at IS NULL OR g.last_used_at <= used.at - interval '1 minute')
