-- The first question to a recipient has the token of their link as its id, so that the link is good when they are one no more.
INSERT INTO report_questions (id, workspace_id, address_digest, is_refusal, at)
SELECT
    CASE
        WHEN EXISTS (SELECT FROM report_questions AS q WHERE q.id = r.unsubscribe_token) THEN uuid_v7()
        ELSE r.unsubscribe_token
    END,
    $2, $3, false, now()
FROM report_recipients AS r
WHERE r.id = $1
