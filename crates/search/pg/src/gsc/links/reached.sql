-- An import may end after its search type was taken out.
INSERT INTO search_imports AS i (domain_id, site_url, search_type, reached)
SELECT s.domain_id, s.site_url, $2, $3
FROM search_properties AS s
WHERE s.domain_id = $1 AND $4 = ANY (s.search_types)
ON CONFLICT (domain_id, site_url, search_type) DO UPDATE SET reached = least(i.reached, excluded.reached)
