SELECT u.id, u.url, u.user_canonical, u.google_canonical, u.canonical_kind, u.inspected_at, count(*) OVER () AS total
FROM indexing_urls AS u
WHERE u.domain_id = $1 AND u.canonical_kind IS NOT NULL AND u.next_inspection_at IS NOT NULL
ORDER BY u.url
LIMIT $2
