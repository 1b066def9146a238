-- Indexes keep which files they name, so that one of several that name a file can take it over from another.
-- Locks: ACCESS EXCLUSIVE on sitemap_files while its indexes are written, of which a domain has a few.

ALTER TABLE sitemap_files ADD COLUMN names uuid[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN sitemap_files.names IS
    'The keys of the files that an index named when it was last read, as far as they are known; their parent may be another.';

-- Which files they name is known once they are read anew.
UPDATE sitemap_files SET sha256 = NULL WHERE kind = 'sitemap_index';
