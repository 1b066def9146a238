-- What could not be stored or read, set aside so that all else goes on.
-- Locks: creates a table only; nothing that exists is touched.

CREATE TABLE set_aside (
    kind text NOT NULL CHECK (kind <> ''),
    subject text NOT NULL,
    reason text NOT NULL,
    payload text,
    first_at timestamptz NOT NULL DEFAULT now(),
    last_at timestamptz NOT NULL DEFAULT now(),
    times bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (kind, subject)
);
COMMENT ON TABLE set_aside IS
    'What could not be stored or read, set aside so that all else goes on. One row for each thing, however often it happens; kept 30 days after the last time. `pharos doctor` shows it.';
COMMENT ON COLUMN set_aside.kind IS 'The kind of thing. Kinds come with the versions of Pharos, so no CHECK.';
COMMENT ON COLUMN set_aside.subject IS 'The thing, or what it belongs to: its id; of a check the domain and the region.';
COMMENT ON COLUMN set_aside.reason IS 'Why, the last time.';
COMMENT ON COLUMN set_aside.payload IS
    'The beginning of what could not be stored, the last time. Null: it could not be read, and lies where it was.';
COMMENT ON COLUMN set_aside.times IS 'How often.';
