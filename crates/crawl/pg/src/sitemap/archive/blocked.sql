WITH blocked AS (
    SELECT c.file_id, c.url, row_number() OVER (PARTITION BY c.file_id ORDER BY c.first_seen_at, c.url_key) AS place
    FROM sitemap_sites AS s
    JOIN sitemap_conflicts AS c ON c.domain_id = s.domain_id AND c.crawler = s.conflicts ->> 'googlebot'
    WHERE s.domain_id = $1
), found AS (
    SELECT b.file_id, count(*) AS count, jsonb_agg(b.url ORDER BY b.place) FILTER (WHERE b.place <= 10) AS examples
    FROM blocked AS b
    GROUP BY b.file_id
), resolved AS (
    DELETE FROM sitemap_issues AS i
    WHERE i.domain_id = $1 AND i.code = 'blocked_by_robots' AND i.file_id NOT IN (SELECT f.file_id FROM found AS f)
)
INSERT INTO sitemap_issues AS i (file_id, code, domain_id, count, examples, first_seen_at)
SELECT f.file_id, 'blocked_by_robots', $1, f.count, f.examples, $2 FROM found AS f
ON CONFLICT (file_id, code) DO UPDATE
SET count = excluded.count, examples = excluded.examples
WHERE (i.count, i.examples) IS DISTINCT FROM (excluded.count, excluded.examples)
