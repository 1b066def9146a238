-- Real-user monitoring: the releases of sites, by which figures over time are read. Those of source maps are known already.
-- Locks: creates and fills a table only; its reference takes SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE rum_releases (
    domain_id uuid NOT NULL REFERENCES domains (id),
    name text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 400),
    released_at timestamptz NOT NULL,
    PRIMARY KEY (domain_id, name)
);
CREATE INDEX rum_releases_released_at_idx ON rum_releases (released_at);
COMMENT ON TABLE rum_releases IS 'Releases of sites. The oldest of a domain go where there are too many.';
COMMENT ON COLUMN rum_releases.released_at IS 'When it came: as was said, else when the first source maps of it were added.';

INSERT INTO rum_releases (domain_id, name, released_at)
SELECT domain_id, release, min(uploaded_at) FROM rum_source_maps GROUP BY domain_id, release;
