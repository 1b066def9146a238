INSERT INTO sitemap_samples (
    domain_id, url_key, asked_at, status_code, redirects_to, is_noindex, canonical, is_canonical
)
-- A clock that is ahead keeps nothing for longer.
SELECT $1, s.url_key, least(s.asked_at, now()), s.status_code, s.redirects_to, s.is_noindex, s.canonical, s.is_canonical
FROM unnest(
    $2::uuid[], $3::timestamptz[], $4::integer[], $5::text[], $6::boolean[], $7::text[], $8::boolean[]
) AS s (url_key, asked_at, status_code, redirects_to, is_noindex, canonical, is_canonical)
ON CONFLICT (domain_id, url_key) DO UPDATE
SET asked_at = excluded.asked_at, status_code = excluded.status_code, redirects_to = excluded.redirects_to,
    is_noindex = excluded.is_noindex, canonical = excluded.canonical, is_canonical = excluded.is_canonical
