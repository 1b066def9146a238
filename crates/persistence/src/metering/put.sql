INSERT INTO idempotency_records (credential_id, key, fingerprint, status, body, created_at)
-- A clock that is ahead has no key hold for longer.
VALUES ($1, $2, $3, $4, $5, least($6, now()))
ON CONFLICT (credential_id, key) DO UPDATE
SET fingerprint = EXCLUDED.fingerprint, status = EXCLUDED.status, body = EXCLUDED.body, created_at = EXCLUDED.created_at
