-- An import under way may have stored a day since this transaction began: it counts as one of before.
INSERT INTO search_sources AS s (domain_id, site_url)
VALUES ($1, $2)
ON CONFLICT (domain_id) DO UPDATE SET site_url = excluded.site_url, others_until = clock_timestamp()
WHERE s.site_url <> excluded.site_url
