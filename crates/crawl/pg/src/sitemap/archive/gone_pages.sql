-- Pages that a good fetch misses for the second time, or, with $4, all that are there. One that another file names since this
-- one does not has moved there; one that another file named all the while has not changed.
WITH gone AS (
    UPDATE sitemap_urls AS u
    SET removed_at = $3, missing_since = coalesce(u.missing_since, $3), last_seen_at = coalesce(u.last_seen_at, $5)
    WHERE u.file_id = $1 AND u.removed_at IS NULL AND ($4 OR u.missing_since IS NOT NULL)
        AND NOT EXISTS (SELECT FROM sitemap_staged AS s WHERE s.url_key = u.url_key)
    RETURNING u.url_key, u.url, u.last_seen_at
), told AS (
    SELECT g.url, g.last_seen_at, o.file_id AS other, o.listed_at, o.missing_since
    FROM gone AS g
    LEFT JOIN LATERAL (
        SELECT o.file_id, o.listed_at, o.missing_since
        FROM sitemap_urls AS o
        WHERE o.domain_id = $2 AND o.url_key = g.url_key AND o.file_id <> $1 AND o.removed_at IS NULL
        ORDER BY o.missing_since IS NOT NULL, o.listed_at DESC, o.file_id
        LIMIT 1
    ) AS o ON true
), noted AS (
    INSERT INTO sitemap_changes (id, domain_id, changed_at, change, url, file_id, before, after)
    SELECT gen_random_uuid(), $2, $3, CASE WHEN t.other IS NULL THEN 'removed' ELSE 'moved_file' END, t.url,
        coalesce(t.other, $1), CASE WHEN t.other IS NOT NULL THEN $1::text END, t.other::text
    FROM told AS t
    WHERE t.other IS NULL OR (t.missing_since IS NULL AND t.listed_at > t.last_seen_at)
    RETURNING change
)
SELECT (SELECT count(*) FROM gone) AS gone, count(*) FILTER (WHERE change = 'removed') AS removed,
    count(*) FILTER (WHERE change = 'moved_file') AS moved
FROM noted
