DELETE FROM idempotency_records AS r
USING (
    SELECT credential_id, key FROM idempotency_records WHERE created_at <= $1 ORDER BY created_at LIMIT $2
) AS old
WHERE r.credential_id = old.credential_id AND r.key = old.key
