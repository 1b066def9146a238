SELECT count(*) AS found
FROM notifications AS n
WHERE (n.domain_id = $1 OR n.workspace_id = ANY ($2))
    AND NOT EXISTS (SELECT FROM domains AS d WHERE d.id = n.domain_id AND d.deleted_at IS NOT NULL)
    AND ($3 IS NULL OR n.kind = $3) AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
    AND NOT EXISTS (SELECT FROM notification_reads AS r WHERE r.user_id = $6 AND r.notification_id = n.id)
