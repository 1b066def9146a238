-- Locks: SHARE UPDATE EXCLUSIVE on report_recipients for a moment.

COMMENT ON COLUMN report_recipients.unsubscribe_token IS 'Random; stands in the link by which they end the mails.';
