-- $3, $4: files, and how often it was found there. $5 to $7: the first places of each: file, page, the page that it names.
WITH told AS (
    SELECT t.file_id, jsonb_agg(left(p.url || ' names ' || o.url, 500) ORDER BY t.place) AS examples
    FROM unnest($5::uuid[], $6::uuid[], $7::uuid[]) WITH ORDINALITY AS t (file_id, url_key, other_key, place)
    JOIN sitemap_urls AS p ON p.file_id = t.file_id AND p.url_key = t.url_key
    CROSS JOIN LATERAL (
        SELECT u.url FROM sitemap_urls AS u WHERE u.domain_id = $1 AND u.url_key = t.other_key LIMIT 1
    ) AS o
    GROUP BY t.file_id
), found AS (
    SELECT f.file_id, f.count, t.examples
    FROM unnest($3::uuid[], $4::bigint[]) AS f (file_id, count)
    JOIN told AS t ON t.file_id = f.file_id
    -- A file may have been forgotten meanwhile.
    JOIN sitemap_files AS s ON s.id = f.file_id AND s.removed_at IS NULL
), resolved AS (
    DELETE FROM sitemap_issues AS i
    WHERE i.domain_id = $1 AND i.code = 'hreflang_no_return' AND i.file_id NOT IN (SELECT f.file_id FROM found AS f)
)
INSERT INTO sitemap_issues AS i (file_id, code, domain_id, count, examples, first_seen_at)
SELECT f.file_id, 'hreflang_no_return', $1, f.count, f.examples, $2 FROM found AS f
ON CONFLICT (file_id, code) DO UPDATE
SET count = excluded.count, examples = excluded.examples
WHERE (i.count, i.examples) IS DISTINCT FROM (excluded.count, excluded.examples)
