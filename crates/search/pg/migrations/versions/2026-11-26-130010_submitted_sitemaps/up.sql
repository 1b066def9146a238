-- Search Console: the sitemaps that were submitted for a property.
-- Locks: creates a table only; its reference takes SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE search_submitted_sitemaps (
    domain_id uuid NOT NULL REFERENCES domains (id),
    site_url text NOT NULL CHECK (octet_length(site_url) <= 2000),
    path text NOT NULL CHECK (octet_length(path) <= 2600),
    form text CHECK (octet_length(form) <= 100),
    is_index boolean NOT NULL,
    is_pending boolean NOT NULL,
    last_submitted_at timestamptz,
    last_downloaded_at timestamptz,
    errors bigint NOT NULL CHECK (errors >= 0),
    warnings bigint NOT NULL CHECK (warnings >= 0),
    contents jsonb NOT NULL,
    PRIMARY KEY (domain_id, path)
);
COMMENT ON TABLE search_submitted_sitemaps IS
    'The sitemaps that were submitted for the property of a domain, as the upstream told them last.';
COMMENT ON COLUMN search_submitted_sitemaps.site_url IS 'The property that it was told of.';
COMMENT ON COLUMN search_submitted_sitemaps.form IS 'Its form in the words of the upstream; null: the upstream does not say.';
COMMENT ON COLUMN search_submitted_sitemaps.contents IS
    'Pairs: a kind of entries in the words of the upstream, and how many were submitted.';
