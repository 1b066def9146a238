-- The index by domain and key has them in this order.
SELECT u.file_id, u.url_key, hashtextextended(u.url, 0) AS url,
    ARRAY(SELECT hashtextextended(a.href, 0) FROM jsonb_to_recordset(u.alternates) AS a (href text)) AS named
FROM sitemap_urls AS u
WHERE u.domain_id = $1 AND (u.url_key, u.file_id) > ($2, $3) AND u.missing_since IS NULL
    AND EXISTS (
        SELECT FROM sitemap_urls AS n
        WHERE n.domain_id = $1 AND n.alternates IS NOT NULL AND n.missing_since IS NULL
    )
ORDER BY u.url_key, u.file_id
LIMIT $4
