-- Sessions know where they began, so that their user tells them apart.
-- Locks: ACCESS EXCLUSIVE on sessions for a moment; no row is written again. It is not known where the present ones began.

ALTER TABLE sessions
    ADD COLUMN source inet,
    ADD COLUMN browser text CHECK (char_length(browser) <= 100);
COMMENT ON COLUMN sessions.source IS 'The address that the user signed in from; null: it is not known.';
COMMENT ON COLUMN sessions.browser IS 'The browser and its system by their names, such as Firefox on Windows; null: not known.';
