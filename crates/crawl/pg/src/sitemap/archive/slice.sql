-- A page that several files name counts once. The index by domain and key has the pages in this order. How many are read is no
-- parameter: whatever plan is kept for the statement knows that it needs a small part of the site.
WITH pages AS (
    SELECT u.url_key, max(u.lastmod) AS lastmod, max(u.images) AS images, max(u.videos) AS videos, bool_or(u.is_news) AS is_news,
        bool_or(u.alternates IS NOT NULL) AS has_alternates
    FROM sitemap_urls AS u
    WHERE u.domain_id = $1 AND u.url_key > $2 AND u.missing_since IS NULL
    GROUP BY u.url_key
    ORDER BY u.url_key
    LIMIT 10000
)
SELECT (SELECT l.url_key FROM pages AS l ORDER BY l.url_key DESC LIMIT 1) AS last, count(*) AS pages,
    coalesce(array_agg(p.lastmod) FILTER (WHERE p.lastmod IS NOT NULL), '{}') AS dates,
    coalesce(sum(p.images), 0)::bigint AS images, coalesce(sum(p.videos), 0)::bigint AS videos,
    count(*) FILTER (WHERE p.is_news) AS news, count(*) FILTER (WHERE p.has_alternates) AS alternates
FROM pages AS p
