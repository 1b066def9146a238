SELECT
    (
        SELECT count(*) FROM report_questions AS q
        WHERE q.workspace_id = $1 AND NOT q.is_refusal AND q.at > now() - make_interval(secs => $3)
    ) AS by_workspace,
    (
        SELECT count(*) FROM report_questions AS q
        WHERE q.address_digest = $2 AND NOT q.is_refusal AND q.at > now() - make_interval(secs => $3)
    ) AS of_address,
    EXISTS (
        SELECT FROM report_questions AS q
        WHERE q.workspace_id = $1 AND q.address_digest = $2 AND q.is_refusal AND q.at > now() - make_interval(secs => $4)
    ) AS is_refused
