-- A balance is found by its key, without a bitmap in between.
-- Locks: none; a setting of a function is changed.

ALTER FUNCTION settle_charges (uuid[], timestamptz[], uuid[], uuid[], uuid[], uuid[], text[], smallint[], integer[], text[], boolean)
    SET enable_bitmapscan = off;
