-- What checks see of certificates.
-- Locks: creates tables only; their references take SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE uptime_certificates (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
    checked_at timestamptz NOT NULL,
    sighting jsonb NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE uptime_certificates IS 'What the last check saw of a site''s TLS. No row before the first check.';
COMMENT ON COLUMN uptime_certificates.digest IS 'SHA-256 of the sighting: whether a check saw the same is told by it alone.';
COMMENT ON COLUMN uptime_certificates.checked_at IS
    'A check that saw it; written on a change, and anew once it is an hour old.';
COMMENT ON COLUMN uptime_certificates.sighting IS 'Host, certificate, chain, session and HSTS.';

CREATE TABLE uptime_certificate_history (
    domain_id uuid NOT NULL REFERENCES domains (id),
    fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    replaced_at timestamptz,
    issuer_common_name text,
    valid_from timestamptz NOT NULL,
    valid_until timestamptz NOT NULL,
    names_count integer NOT NULL CHECK (names_count >= 0),
    PRIMARY KEY (domain_id, fingerprint),
    CHECK (first_seen_at <= last_seen_at)
) WITH (fillfactor = 70);
COMMENT ON TABLE uptime_certificate_history IS
    'The certificates that a site has presented: the 50 that were seen last.';
COMMENT ON COLUMN uptime_certificate_history.fingerprint IS 'SHA-256 of the certificate, hex.';
COMMENT ON COLUMN uptime_certificate_history.last_seen_at IS 'The last check that saw it, to within an hour.';
COMMENT ON COLUMN uptime_certificate_history.replaced_at IS
    'The check that first saw another in its place; null: it is the present one.';
COMMENT ON COLUMN uptime_certificate_history.names_count IS 'How many DNS names and addresses it is for.';
