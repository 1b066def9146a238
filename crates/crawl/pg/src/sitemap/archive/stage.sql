INSERT INTO sitemap_staged (
    url_key, url, lastmod, change_frequency, priority, images, videos, is_news, alternates
)
SELECT * FROM unnest(
    $1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::double precision[], $6::integer[], $7::integer[],
    $8::boolean[], $9::jsonb[]
)
-- If a page stands twice, the first counts.
ON CONFLICT (url_key) DO NOTHING
