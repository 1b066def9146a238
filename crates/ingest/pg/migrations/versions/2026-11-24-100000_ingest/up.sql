-- The names by which pages and servers send beacons, the salts of two days, and how many beacons of bots there were.
-- Locks: creates tables only; their references take SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE collect_sites (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    site_key text NOT NULL UNIQUE CHECK (site_key ~ '^pst_[0-9A-Za-z]{22}$'),
    secret_digest bytea UNIQUE CHECK (octet_length(secret_digest) = 32),
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE collect_sites IS 'The key of a domain in its pages, and the secret by which its servers send events.';
COMMENT ON COLUMN collect_sites.site_key IS 'Public: it stands in the pages.';
COMMENT ON COLUMN collect_sites.secret_digest IS 'The SHA-256 of the secret; null: there is none.';

CREATE TABLE collect_salts (
    day date PRIMARY KEY,
    salt bytea NOT NULL CHECK (octet_length(salt) = 32)
);
COMMENT ON TABLE collect_salts IS
    'The salts that ids of visitors are made under: that of this UTC day, and for its first hour that of the day before.';

CREATE TABLE collect_bots (
    domain_id uuid NOT NULL REFERENCES domains (id),
    day date NOT NULL,
    beacons bigint NOT NULL CHECK (beacons > 0),
    PRIMARY KEY (domain_id, day)
);
CREATE INDEX collect_bots_day_idx ON collect_bots (day);
COMMENT ON TABLE collect_bots IS 'How many beacons of bots a site had on a UTC day. Nothing else is kept of them.';
