-- A page that several files name counts once. The groups are read in the order of an index.
SELECT count(*) AS urls_unique, count(p.lastmod) AS dated,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY p.lastmod) AS median_lastmod,
    coalesce(sum(p.images), 0)::bigint AS images, coalesce(sum(p.videos), 0)::bigint AS videos,
    count(*) FILTER (WHERE p.is_news) AS news, count(*) FILTER (WHERE p.has_alternates) AS alternates,
    (
        SELECT coalesce(sum(least(f.entries, 50000)), 0)::bigint
        FROM sitemap_files AS f
        WHERE f.domain_id = $1 AND f.removed_at IS NULL AND f.kind <> 'sitemap_index'
    ) AS urls_total
FROM (
    SELECT max(u.lastmod) AS lastmod, max(u.images) AS images, max(u.videos) AS videos, bool_or(u.is_news) AS is_news,
        bool_or(u.alternates IS NOT NULL) AS has_alternates
    FROM sitemap_urls AS u
    WHERE u.domain_id = $1 AND u.missing_since IS NULL
    GROUP BY u.url_key
) AS p
