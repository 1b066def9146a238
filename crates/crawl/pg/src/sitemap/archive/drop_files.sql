-- Files that nothing names any more. Whether a file was forgotten goes on to those that it alone named.
WITH dropped AS (
    UPDATE sitemap_files
    SET removed_at = $2
    WHERE domain_id = $1 AND removed_at IS NULL AND NOT in_robots AND NOT is_manual AND NOT is_default AND parent_id IS NULL
    RETURNING id
)
SELECT count(*) AS dropped FROM dropped
