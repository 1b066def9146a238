-- The findings of the newest answers of sampled pages that are still there.
WITH sampled AS (
    SELECT u.file_id, u.url, u.url_key, p.status_code, p.redirects_to, p.is_noindex, p.canonical, p.is_canonical
    FROM sitemap_samples AS p
    JOIN sitemap_urls AS u ON u.domain_id = p.domain_id AND u.url_key = p.url_key AND u.missing_since IS NULL
    WHERE p.domain_id = $1
), told AS (
    SELECT s.file_id, f.code, f.example, row_number() OVER (PARTITION BY s.file_id, f.code ORDER BY s.url_key) AS place
    FROM sampled AS s
    CROSS JOIN LATERAL (
        VALUES
            ('non_200_url', s.status_code >= 400, s.url || ' answers ' || s.status_code),
            ('redirecting_url', s.status_code BETWEEN 300 AND 399, concat(s.url, ' redirects to ' || s.redirects_to)),
            ('noindex_url', s.is_noindex, s.url),
            ('canonicalised_url', NOT s.is_canonical, s.url || ' names ' || s.canonical)
    ) AS f (code, is_so, example)
    WHERE f.is_so
), found AS (
    SELECT t.file_id, t.code, count(*) AS count,
        jsonb_agg(left(t.example, 500) ORDER BY t.place) FILTER (WHERE t.place <= 10) AS examples
    FROM told AS t
    GROUP BY t.file_id, t.code
), resolved AS (
    DELETE FROM sitemap_issues AS i
    WHERE i.domain_id = $1
        AND i.code IN ('non_200_url', 'redirecting_url', 'noindex_url', 'canonicalised_url')
        AND NOT EXISTS (SELECT FROM found AS f WHERE f.file_id = i.file_id AND f.code = i.code)
), stored AS (
    INSERT INTO sitemap_issues AS i (file_id, code, domain_id, count, examples, first_seen_at)
    SELECT f.file_id, f.code, $1, f.count, f.examples, $2 FROM found AS f
    ON CONFLICT (file_id, code) DO UPDATE
    SET count = excluded.count, examples = excluded.examples
    WHERE (i.count, i.examples) IS DISTINCT FROM (excluded.count, excluded.examples)
)
SELECT count(DISTINCT s.url_key) AS asked, count(DISTINCT s.url_key) FILTER (WHERE s.status_code >= 400) AS non_200
FROM sampled AS s
