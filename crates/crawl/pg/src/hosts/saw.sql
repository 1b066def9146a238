-- A fetch that failed leaves the sitemaps that are known.
UPDATE crawl_hosts
SET state = $3, checked_at = least($4, now()), sitemaps = coalesce($5::jsonb, sitemaps)
WHERE domain_id = $1 AND origin = $2
