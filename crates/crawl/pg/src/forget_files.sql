-- A file that people stopped stays, so that nothing finds it anew.
DELETE FROM sitemap_files WHERE ctid = ANY (ARRAY(
    SELECT f.ctid
    FROM sitemap_files AS f
    WHERE f.removed_at <= day_before($1, $2) AND f.stopped_at IS NULL
        AND NOT EXISTS (SELECT FROM sitemap_urls AS u WHERE u.file_id = f.id)
        AND NOT EXISTS (SELECT FROM sitemap_conflicts AS c WHERE c.file_id = f.id)
        AND NOT EXISTS (SELECT FROM sitemap_issues AS i WHERE i.file_id = f.id)
        AND NOT EXISTS (SELECT FROM sitemap_files AS c WHERE c.parent_id = f.id)
    LIMIT 50000
    FOR UPDATE OF f SKIP LOCKED
))
