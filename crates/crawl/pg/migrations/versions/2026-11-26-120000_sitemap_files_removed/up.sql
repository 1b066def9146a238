-- Upkeep finds the files that went long ago.
-- Locks: SHARE on sitemap_files while the index is built; it has at most 1,000 rows a domain that are watched.

CREATE INDEX sitemap_files_removed_idx ON sitemap_files (removed_at) WHERE removed_at IS NOT NULL AND stopped_at IS NULL;
