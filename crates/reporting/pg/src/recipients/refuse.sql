-- Somebody who was asked, and is a recipient no more, wants no mails of the workspace. Saying so again changes nothing.
WITH asked AS (
    SELECT q.workspace_id, q.address_digest FROM report_questions AS q WHERE q.id = $1 AND NOT q.is_refusal
),
refused AS (
    INSERT INTO report_questions (id, workspace_id, address_digest, is_refusal, at)
    SELECT uuid_v7(), a.workspace_id, a.address_digest, true, now()
    FROM asked AS a
    WHERE NOT EXISTS (
        SELECT FROM report_questions AS f
        WHERE f.workspace_id = a.workspace_id AND f.address_digest = a.address_digest AND f.is_refusal
            AND f.at > now() - make_interval(secs => $2)
    )
)
SELECT EXISTS (SELECT FROM asked) AS was_asked
