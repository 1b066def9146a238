-- Why the tokens of unsubscribe links are kept as they are.
-- Locks: SHARE UPDATE EXCLUSIVE on report_recipients for a moment.

COMMENT ON COLUMN report_recipients.unsubscribe_token IS
    'Random; stands in the link by which they end the mails. Kept as it is, since each mail needs it and it does nothing else: its page tells the names of report, site and workspace and whether they said yes, and neither an address nor a figure. Whoever reads this table knows more.';
