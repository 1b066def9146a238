-- The comment as it was.
-- Locks: none that anybody waits for.

COMMENT ON COLUMN search_accounts.sealed IS
    'The secret that proves who it is, encrypted with the shared secret search_accounts: one byte for the form, 12 of the nonce, then AES-256-GCM over the id and it.';
