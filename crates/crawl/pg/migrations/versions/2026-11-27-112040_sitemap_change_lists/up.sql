-- Changes of the pages of one sitemap file, by what changed.
-- Locks: ACCESS EXCLUSIVE on sitemap_changes and its partitions for a moment, SHARE while the index is made.

CREATE INDEX sitemap_changes_of_file_idx ON sitemap_changes (file_id, change, changed_at, id);
DROP INDEX sitemap_changes_file_idx;
COMMENT ON INDEX sitemap_changes_of_file_idx IS 'Serves lists of one file: a page of each kind of change.';
