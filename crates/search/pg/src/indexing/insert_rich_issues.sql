INSERT INTO indexing_rich_issues (url_id, domain_id, kind, severity, message)
SELECT DISTINCT n.url_id, $1, n.kind, n.severity, n.message
FROM jsonb_to_recordset($2) AS n (url_id uuid, kind text, severity text, message text)
