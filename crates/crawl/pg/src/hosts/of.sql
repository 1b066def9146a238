SELECT h.origin, h.state, h.checked_at, h.sitemaps
FROM crawl_hosts AS h
WHERE h.domain_id = $1
ORDER BY h.position
