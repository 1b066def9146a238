DELETE FROM uptime_certificate_history AS h
USING (
    SELECT
        domain_id,
        fingerprint,
        row_number() OVER (PARTITION BY domain_id ORDER BY last_seen_at DESC, fingerprint) AS place
    FROM uptime_certificate_history
    WHERE domain_id = ANY($1)
) AS seen
WHERE h.domain_id = seen.domain_id AND h.fingerprint = seen.fingerprint AND seen.place > $2
