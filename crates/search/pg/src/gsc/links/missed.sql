INSERT INTO search_missed_days AS m (domain_id, search_type, date)
SELECT s.domain_id, $2, $3
FROM search_properties AS s
WHERE s.domain_id = $1 AND $4 = ANY (s.search_types)
ON CONFLICT (domain_id, search_type, date) DO UPDATE SET tried_at = now()
