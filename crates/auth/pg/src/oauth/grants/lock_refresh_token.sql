-- $1 digest
SELECT t.grant_id, g.client_id, g.user_id, g.resource, g.scopes, t.expires_at,
    t.superseded_at IS NOT NULL AS is_superseded,
    g.revoked_at IS NOT NULL OR u.disabled_at IS NOT NULL AS is_revoked
FROM oauth_refresh_tokens AS t
JOIN oauth_grants AS g ON g.id = t.grant_id
JOIN users AS u ON u.id = g.user_id
WHERE t.digest = $1
FOR UPDATE OF t
