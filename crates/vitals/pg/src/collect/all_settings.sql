SELECT s.domain_id, s.settings
FROM rum_sites AS s
WHERE s.domain_id = ANY ($1)
