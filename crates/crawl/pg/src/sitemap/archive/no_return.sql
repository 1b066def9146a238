-- Pages that name another page of the sitemaps in a language, where that one does not name them back. Of a page that is in no
-- sitemap nothing is known: its languages may stand in the page itself.
WITH named AS (
    SELECT u.file_id, u.url, a.href, u.url_key,
        encode(substr(sha256(convert_to(a.href, 'UTF8')), 1, 16), 'hex')::uuid AS href_key
    FROM sitemap_urls AS u
    CROSS JOIN LATERAL jsonb_to_recordset(u.alternates) AS a (href text)
    WHERE u.domain_id = $1 AND u.alternates IS NOT NULL AND u.missing_since IS NULL AND a.href <> u.url
), lonely AS (
    SELECT n.file_id, n.url || ' names ' || n.href AS example,
        row_number() OVER (PARTITION BY n.file_id ORDER BY n.url_key, n.href) AS place
    FROM named AS n
    WHERE EXISTS (
        SELECT FROM sitemap_urls AS t
        WHERE t.domain_id = $1 AND t.url_key = n.href_key AND t.missing_since IS NULL
    ) AND NOT EXISTS (
        SELECT FROM sitemap_urls AS t
        WHERE t.domain_id = $1 AND t.url_key = n.href_key AND t.missing_since IS NULL
            AND t.alternates @> jsonb_build_array(jsonb_build_object('href', n.url))
    )
), found AS (
    SELECT l.file_id, count(*) AS count,
        jsonb_agg(left(l.example, 500) ORDER BY l.place) FILTER (WHERE l.place <= 10) AS examples
    FROM lonely AS l
    GROUP BY l.file_id
), resolved AS (
    DELETE FROM sitemap_issues AS i
    WHERE i.domain_id = $1 AND i.code = 'hreflang_no_return' AND i.file_id NOT IN (SELECT f.file_id FROM found AS f)
)
INSERT INTO sitemap_issues AS i (file_id, code, domain_id, count, examples, first_seen_at)
SELECT f.file_id, 'hreflang_no_return', $1, f.count, f.examples, $2 FROM found AS f
ON CONFLICT (file_id, code) DO UPDATE
SET count = excluded.count, examples = excluded.examples
WHERE (i.count, i.examples) IS DISTINCT FROM (excluded.count, excluded.examples)
