-- The comment as it was.
-- Locks: none that anybody waits for.

COMMENT ON COLUMN alert_channels.secrets IS
    'Its other secrets and the unsubscribe token, encrypted by the shared secret alert_channels. Null: an older version wrote them in the clear.';
