-- The days stay those of the property before until an import has forgotten them: who links that one again has lost none. An import
-- under way may have stored a day since this transaction began: it counts as one of before.
INSERT INTO search_sources AS s (domain_id, site_url)
VALUES ($1, $2)
ON CONFLICT (domain_id) DO UPDATE
    SET others_until = CASE WHEN s.site_url <> excluded.site_url THEN clock_timestamp() END
WHERE s.site_url <> excluded.site_url OR s.others_until IS NOT NULL
