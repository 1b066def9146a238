-- The keys that seal the credentials of accounts are rotated, and the comment says where they lie.
-- Locks: none that anybody waits for.

COMMENT ON COLUMN search_accounts.sealed IS
    'The secret that proves who it is, encrypted: one byte for the form, 1 by the shared secret search_accounts, 2 by the one of sealing_keys whose id follows; 12 of the nonce, then AES-256-GCM over the id and it.';
