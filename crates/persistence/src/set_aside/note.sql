INSERT INTO set_aside AS known (kind, subject, reason, payload)
VALUES ($1, $2, $3, $4)
ON CONFLICT (kind, subject) DO UPDATE
SET reason = EXCLUDED.reason, payload = EXCLUDED.payload, last_at = EXCLUDED.last_at, times = known.times + 1
