-- The keys that seal the secrets of channels are rotated, and the comment says where they lie.
-- Locks: none that anybody waits for.

COMMENT ON COLUMN alert_channels.secrets IS
    'Its other secrets and the unsubscribe token, encrypted by the shared secret alert_channels, or by the one of sealing_keys whose id stands behind the first byte. Null: an older version wrote them in the clear.';
