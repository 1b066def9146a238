-- Locks: ACCESS EXCLUSIVE on sitemap_changes and its partitions for a moment, SHARE while the index is made.

CREATE INDEX sitemap_changes_file_idx ON sitemap_changes (file_id, changed_at, id);
DROP INDEX sitemap_changes_of_file_idx;
