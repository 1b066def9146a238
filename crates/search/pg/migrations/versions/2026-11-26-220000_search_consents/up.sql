-- Search Console: the consents that people were asked for.
-- Locks: creates a table only; its reference takes SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE search_consents (
    state bytea PRIMARY KEY CHECK (octet_length(state) = 32),
    session bytea NOT NULL CHECK (octet_length(session) = 32),
    domain_id uuid NOT NULL REFERENCES domains (id),
    asked_at timestamptz NOT NULL,
    taken_at timestamptz
);
CREATE INDEX search_consents_domain_idx ON search_consents (domain_id);
CREATE INDEX search_consents_asked_idx ON search_consents (asked_at);
COMMENT ON TABLE search_consents IS 'Consents that people were asked for at Google. A row goes after a day.';
COMMENT ON COLUMN search_consents.state IS 'The SHA-256 of the value that the browser brings back.';
COMMENT ON COLUMN search_consents.session IS 'The SHA-256 of the session that asked.';
COMMENT ON COLUMN search_consents.taken_at IS 'When the browser brought it back; null: it has not yet.';
