WITH found AS (
    SELECT * FROM unnest($3::text[], $4::bigint[], $5::jsonb[]) AS f (code, count, examples)
), resolved AS (
    DELETE FROM sitemap_issues AS i
    WHERE i.file_id = $1 AND i.code = ANY ($6) AND NOT EXISTS (SELECT FROM found AS f WHERE f.code = i.code)
)
INSERT INTO sitemap_issues AS i (file_id, code, domain_id, count, examples, first_seen_at)
SELECT $1, f.code, $2, f.count, f.examples, $7 FROM found AS f
ON CONFLICT (file_id, code) DO UPDATE
SET count = excluded.count, examples = excluded.examples
WHERE (i.count, i.examples) IS DISTINCT FROM (excluded.count, excluded.examples)
