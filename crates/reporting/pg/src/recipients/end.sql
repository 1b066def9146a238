UPDATE report_recipients SET unsubscribed_at = now(), link_digest = NULL WHERE id = $1 AND unsubscribed_at IS NULL
