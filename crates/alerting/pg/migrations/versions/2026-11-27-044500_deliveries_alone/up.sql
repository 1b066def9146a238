-- Mails that a mail server refused together are sent again one by one.
-- Locks: ACCESS EXCLUSIVE on alert_deliveries for a moment, since a constant is no rewrite.

ALTER TABLE alert_deliveries ADD COLUMN is_alone boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN alert_deliveries.is_alone IS
    'Whether it is sent in a mail of its own, since one with others in it was refused for good.';
