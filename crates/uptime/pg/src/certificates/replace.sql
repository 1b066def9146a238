UPDATE uptime_certificate_history AS h
SET replaced_at = present.since
FROM unnest($1, $2, $3) AS present (domain_id, fingerprint, since)
WHERE h.domain_id = present.domain_id AND h.fingerprint <> present.fingerprint AND h.replaced_at IS NULL
