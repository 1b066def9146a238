-- A second factor that is not confirmed yet is known to the session that began it, and to no other.
-- Locks: ACCESS EXCLUSIVE on second_factors for a moment; no row is written again. Those that are not confirmed belong to no
-- session, and are begun anew.

ALTER TABLE second_factors ADD COLUMN begun_by bytea CHECK (octet_length(begun_by) = 32);
COMMENT ON COLUMN second_factors.begun_by IS
    'The digest of the session that began it, which alone is shown the secret and confirms it; it may have ended. Null: none.';
