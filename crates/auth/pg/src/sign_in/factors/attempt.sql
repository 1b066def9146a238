UPDATE pending_sign_ins AS p
SET attempts = p.attempts + 1
FROM users AS u
WHERE p.digest = $1 AND p.expires_at > $2 AND p.attempts < $3 AND u.id = p.user_id AND u.disabled_at IS NULL
RETURNING p.user_id
