UPDATE report_recipients
SET confirmed_at = now(), link_digest = NULL
WHERE link_digest = $1 AND asked_until > now() AND unsubscribed_at IS NULL
