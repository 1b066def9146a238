-- Further hosts of domains, whose robots.txt and sitemaps are watched too.
-- Locks: creates a table only; its reference takes SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE crawl_hosts (
    domain_id uuid NOT NULL REFERENCES domains (id),
    origin text NOT NULL,
    position integer NOT NULL CHECK (position >= 0),
    state text CHECK (
        state IN (
            'ok', 'missing', 'unreachable', 'redirected_off_host', 'server_error', 'too_large', 'html_instead', 'empty'
        )
    ),
    checked_at timestamptz,
    sitemaps jsonb NOT NULL DEFAULT '[]',
    PRIMARY KEY (domain_id, origin),
    CHECK ((state IS NULL) = (checked_at IS NULL))
);
COMMENT ON TABLE crawl_hosts IS 'Hosts that a domain lists besides its site.';
COMMENT ON COLUMN crawl_hosts.origin IS 'Scheme, host and port: a robots.txt speaks for one of each.';
COMMENT ON COLUMN crawl_hosts.position IS 'Its place in the list, from 0.';
COMMENT ON COLUMN crawl_hosts.state IS 'How its robots.txt stood at the last fetch; null: there was none.';
COMMENT ON COLUMN crawl_hosts.sitemaps IS 'The sitemaps that the last good fetch named.';
