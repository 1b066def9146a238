-- Sealed secrets can't be opened here: channels that have secrets go, with what is on its way to them, and the links in mails that
-- were sent lead nowhere any more.
-- Locks: ACCESS EXCLUSIVE on alert_channels.

DELETE FROM alert_channels WHERE secrets IS NOT NULL AND target ->> 'kind' <> 'email';
ALTER TABLE alert_channels
    DROP CONSTRAINT alert_channels_sealed_check,
    DROP COLUMN secrets,
    DROP COLUMN unsubscribe_digest;
UPDATE alert_channels SET unsubscribe_token = gen_random_uuid() WHERE unsubscribe_token IS NULL;
ALTER TABLE alert_channels ALTER COLUMN unsubscribe_token SET NOT NULL;
COMMENT ON COLUMN alert_channels.target IS 'The kind of the channel, its address, and the secrets that it takes.';
COMMENT ON COLUMN alert_channels.unsubscribe_token IS 'Random; stands in the link by which a reader of its mails switches it off.';
