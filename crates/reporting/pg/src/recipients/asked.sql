-- The newest question to a recipient has the token of their link as its id, so that the link is good when they are one no more.
WITH earlier AS MATERIALIZED (
    SELECT q.id, q.at
    FROM report_recipients AS r
    JOIN report_questions AS q ON q.id = r.unsubscribe_token
    WHERE r.id = $1
),
renewed AS (
    UPDATE report_questions AS q SET at = now() FROM earlier AS e WHERE q.id = e.id
)
INSERT INTO report_questions (id, workspace_id, address_digest, is_refusal, at)
SELECT
    CASE WHEN e.id IS NULL THEN r.unsubscribe_token ELSE uuid_v7() END,
    $2, $3, false, coalesce(e.at, now())
FROM report_recipients AS r
LEFT JOIN earlier AS e ON true
WHERE r.id = $1
