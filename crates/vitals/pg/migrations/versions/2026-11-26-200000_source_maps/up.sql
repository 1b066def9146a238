-- Real-user monitoring: source maps, by which frames of errors are shown as they are in the sources.
-- Locks: creates a table only; its reference takes SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE rum_source_maps (
    domain_id uuid NOT NULL REFERENCES domains (id),
    script text NOT NULL CHECK (octet_length(script) BETWEEN 1 AND 2000),
    release text NOT NULL CHECK (octet_length(release) BETWEEN 1 AND 400),
    url text NOT NULL CHECK (octet_length(url) BETWEEN 1 AND 2000),
    sources integer NOT NULL CHECK (sources > 0),
    bytes integer NOT NULL CHECK (bytes > 0),
    map bytea NOT NULL,
    uploaded_at timestamptz NOT NULL,
    PRIMARY KEY (domain_id, script, release)
);
CREATE INDEX rum_source_maps_uploaded_at_idx ON rum_source_maps (uploaded_at);
COMMENT ON TABLE rum_source_maps IS 'Source maps of scripts, by release. The oldest of a domain go where there are too many.';
COMMENT ON COLUMN rum_source_maps.script IS 'The script as frames of errors name it: redacted.';
COMMENT ON COLUMN rum_source_maps.url IS 'The address of the script.';
COMMENT ON COLUMN rum_source_maps.sources IS 'How many sources the script was made of.';
COMMENT ON COLUMN rum_source_maps.bytes IS 'How large the map is.';
COMMENT ON COLUMN rum_source_maps.map IS 'The map as JSON, without the sources themselves.';
