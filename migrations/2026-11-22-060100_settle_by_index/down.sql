-- Takes the setting back.
-- Locks: none; a setting of a function is changed.

ALTER FUNCTION settle_charges (uuid[], timestamptz[], uuid[], uuid[], uuid[], uuid[], text[], smallint[], integer[], text[], boolean)
    RESET enable_bitmapscan;
