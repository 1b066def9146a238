INSERT INTO sessions (digest, user_id, signed_in_at, last_used_at)
SELECT $1, users.id, $4, $4
FROM users
JOIN user_passwords ON user_passwords.user_id = users.id
WHERE users.id = $2 AND users.disabled_at IS NULL AND user_passwords.hash = $3
FOR SHARE
