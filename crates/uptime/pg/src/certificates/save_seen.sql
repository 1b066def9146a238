INSERT INTO uptime_certificate_history AS h (
    domain_id, fingerprint, first_seen_at, last_seen_at, issuer_common_name, valid_from, valid_until, names_count
)
SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (domain_id, fingerprint) DO UPDATE
SET last_seen_at = greatest(h.last_seen_at, excluded.last_seen_at), replaced_at = NULL
