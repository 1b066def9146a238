INSERT INTO sign_in_links (digest, user_id, expires_at)
SELECT $1, users.id, $3
FROM users
WHERE users.id = $2 AND users.disabled_at IS NULL
FOR SHARE
ON CONFLICT (user_id) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at
