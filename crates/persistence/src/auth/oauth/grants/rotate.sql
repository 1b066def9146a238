-- $1 digest, $2 client, $3 resource, $4 next digest, $5 next until, $6 now
WITH known AS (
    SELECT t.grant_id, t.expires_at, t.superseded_at, g.client_id, g.user_id, g.resource, g.scopes,
        g.revoked_at IS NOT NULL OR u.disabled_at IS NOT NULL AS is_revoked
    FROM oauth_refresh_tokens AS t
    JOIN oauth_grants AS g ON g.id = t.grant_id
    JOIN users AS u ON u.id = g.user_id
    WHERE t.digest = $1
), superseded AS (
    -- Of several at once the row's lock lets one find it as it was.
    UPDATE oauth_refresh_tokens AS t
    SET superseded_at = $6
    FROM known
    WHERE t.digest = $1 AND t.superseded_at IS NULL AND t.expires_at > $6
        AND known.client_id = $2 AND known.resource = $3 AND NOT known.is_revoked
    RETURNING t.grant_id
), issued AS (
    INSERT INTO oauth_refresh_tokens (digest, grant_id, issued_at, expires_at)
    SELECT $4, grant_id, $6, $5 FROM superseded
    RETURNING grant_id
)
SELECT known.grant_id, known.user_id, known.scopes,
    known.client_id = $2 AS is_of_client,
    known.resource = $3 AS is_of_resource,
    known.expires_at <= $6 AS is_expired,
    known.is_revoked,
    EXISTS (SELECT FROM issued) AS is_issued
FROM known
