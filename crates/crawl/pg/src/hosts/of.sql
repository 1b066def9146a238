SELECT h.domain_id, h.origin, h.state, h.checked_at, h.sitemaps
FROM crawl_hosts AS h
WHERE h.domain_id = ANY ($1)
ORDER BY h.domain_id, h.position
