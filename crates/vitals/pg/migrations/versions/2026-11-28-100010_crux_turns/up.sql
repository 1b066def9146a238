-- The Chrome UX Report: the turns of requests to its API, which all nodes share.
-- Locks: creates a table only.

CREATE TABLE crux_turns (
    id smallint PRIMARY KEY CHECK (id = 1),
    next_at timestamptz NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE crux_turns IS
    'The quota of requests is of the project that the key belongs to, whichever node asks. One row, or none before the first request.';
COMMENT ON COLUMN crux_turns.next_at IS 'When the next request may be sent, by the clock of the database.';
