-- The secrets of channels are sealed. Those that there are, upkeep seals, since only a node can.
-- Locks: ACCESS EXCLUSIVE on alert_channels while the CHECKs read it; it has at most 50 rows a workspace.

ALTER TABLE alert_channels
    ADD COLUMN secrets bytea,
    ADD COLUMN unsubscribe_digest bytea UNIQUE CHECK (octet_length(unsubscribe_digest) = 32),
    ALTER COLUMN unsubscribe_token DROP NOT NULL,
    ADD CONSTRAINT alert_channels_sealed_check CHECK (
        (secrets IS NULL) = (unsubscribe_digest IS NULL) AND (secrets IS NULL) = (unsubscribe_token IS NOT NULL)
    );
COMMENT ON COLUMN alert_channels.target IS
    'The kind of the channel, and the part of its address that is no secret. Where nothing is sealed yet, the secrets, too.';
COMMENT ON COLUMN alert_channels.secrets IS
    'Its other secrets and the unsubscribe token, encrypted by the shared secret alert_channels. Null: an older version wrote them in the clear.';
COMMENT ON COLUMN alert_channels.unsubscribe_token IS
    'Random; stands in the link by which a reader of its mails switches it off. Null once it is sealed.';
COMMENT ON COLUMN alert_channels.unsubscribe_digest IS 'SHA-256 of the unsubscribe token, by which the channel is found. Null: nothing is sealed yet.';
