-- Search Console: which property the figures of a domain are of, so that those of one that was linked before are told apart.
-- Locks: creates and fills a table only; its reference takes SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE search_sources (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    site_url text NOT NULL CHECK (octet_length(site_url) <= 2000),
    others_until timestamptz
);
COMMENT ON TABLE search_sources IS
    'The property that the figures of a domain are of: the one that was imported last. It stays when the link ends.';
COMMENT ON COLUMN search_sources.others_until IS
    'When another property was linked: the next import deletes the days that were stored before. Null: none was since.';

INSERT INTO search_sources (domain_id, site_url) SELECT domain_id, site_url FROM search_properties;
