-- The answers of pages of sitemaps when some of them were asked.
-- Locks: ACCESS EXCLUSIVE on sitemap_sites and sitemap_rounds for a moment; SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE sitemap_samples (
    domain_id uuid NOT NULL REFERENCES domains (id),
    url_key uuid NOT NULL,
    asked_at timestamptz NOT NULL,
    status_code integer NOT NULL,
    redirects_to text,
    is_noindex boolean,
    canonical text,
    is_canonical boolean,
    PRIMARY KEY (domain_id, url_key)
);
CREATE INDEX sitemap_samples_asked_idx ON sitemap_samples (asked_at);
COMMENT ON TABLE sitemap_samples IS 'The answers of pages of sitemaps when they were last asked, within 30 days.';
COMMENT ON COLUMN sitemap_samples.url_key IS 'The first 128 bits of the SHA-256 of the URL.';
COMMENT ON COLUMN sitemap_samples.is_noindex IS 'Whether the page asks Google not to index it; null: it did not answer with a success.';
COMMENT ON COLUMN sitemap_samples.canonical IS 'The page that it names as the one to be indexed; null: none.';
COMMENT ON COLUMN sitemap_samples.is_canonical IS 'Whether that is itself; null: it names none.';

ALTER TABLE sitemap_sites ADD COLUMN sampled_through uuid;
COMMENT ON COLUMN sitemap_sites.sampled_through IS 'The last page that was asked, in the order of keys; null: the round through all pages begins anew.';

ALTER TABLE sitemap_rounds ADD COLUMN non_200 bigint CHECK (non_200 >= 0);
COMMENT ON COLUMN sitemap_rounds.non_200 IS 'Pages that answered with an error when they were last asked; null: none was asked.';
