-- The link of the question before leads nowhere from now on.
UPDATE report_recipients
SET asked_at = now(), asked_until = now() + make_interval(secs => $2), link_digest = NULL
WHERE id = $1
