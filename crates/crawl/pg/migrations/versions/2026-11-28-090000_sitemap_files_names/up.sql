-- Indexes keep which files they name, so that one of several that name a file can take it over from another.
-- Locks: ROW EXCLUSIVE on the indexes among sitemap_files, of which a domain has a few.

CREATE TABLE sitemap_names (
    file_id uuid PRIMARY KEY REFERENCES sitemap_files (id) ON DELETE CASCADE,
    keys uuid[] NOT NULL
);
COMMENT ON TABLE sitemap_names IS 'The files that each index named when it was last read; their parent may be another.';
COMMENT ON COLUMN sitemap_names.keys IS 'The url_key of each, as far as they are known.';

-- Which files they name is known once they are read anew.
UPDATE sitemap_files SET sha256 = NULL WHERE kind = 'sitemap_index';
