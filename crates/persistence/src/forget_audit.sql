DELETE FROM audit_log
WHERE id = ANY(ARRAY(SELECT old.id FROM audit_log AS old WHERE old.at <= $1 ORDER BY old.at, old.id LIMIT $2))
