WITH site AS (
    SELECT s.domain_id, s.conflicts ->> 'googlebot' AS crawler, coalesce(s.conflicts -> 'googlebot_files', '{}') AS files
    FROM sitemap_sites AS s
    WHERE s.domain_id = $1
), kept AS (
    SELECT c.file_id, c.url, row_number() OVER (PARTITION BY c.file_id ORDER BY c.first_seen_at, c.url_key) AS place
    FROM site AS s
    JOIN sitemap_conflicts AS c ON c.domain_id = s.domain_id AND c.crawler = s.crawler
), shown AS (
    SELECT k.file_id, count(*) AS count, jsonb_agg(k.url ORDER BY k.place) FILTER (WHERE k.place <= 10) AS examples
    FROM kept AS k
    GROUP BY k.file_id
), counted AS (
    -- All are counted, those too that there was no room to keep.
    SELECT e.key::uuid AS file_id, e.value::bigint AS count
    FROM site AS s
    CROSS JOIN LATERAL jsonb_each_text(s.files) AS e
), found AS (
    SELECT f.id AS file_id, greatest(k.count, t.count) AS count, coalesce(k.examples, '[]') AS examples
    FROM shown AS k
    FULL JOIN counted AS t ON t.file_id = k.file_id
    JOIN sitemap_files AS f ON f.id = coalesce(k.file_id, t.file_id) AND f.removed_at IS NULL
), resolved AS (
    DELETE FROM sitemap_issues AS i
    WHERE i.domain_id = $1 AND i.code = 'blocked_by_robots' AND i.file_id NOT IN (SELECT f.file_id FROM found AS f)
)
INSERT INTO sitemap_issues AS i (file_id, code, domain_id, count, examples, first_seen_at)
SELECT f.file_id, 'blocked_by_robots', $1, f.count, f.examples, $2 FROM found AS f
ON CONFLICT (file_id, code) DO UPDATE
SET count = excluded.count, examples = excluded.examples
WHERE (i.count, i.examples) IS DISTINCT FROM (excluded.count, excluded.examples)
