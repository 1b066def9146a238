-- URLs that somebody adds. One that an inspector run alone named, or that was let go, is monitored from now on.
INSERT INTO indexing_urls AS u (id, domain_id, url, source, created_at, next_inspection_at, listed_at)
SELECT w.id, $1, w.url, $4, $5, $5, $5
FROM unnest($2, $3) AS w (id, url)
ON CONFLICT (domain_id, url) DO UPDATE
    SET source = excluded.source, next_inspection_at = excluded.next_inspection_at, listed_at = excluded.listed_at
    WHERE u.next_inspection_at IS NULL
