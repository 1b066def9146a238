SELECT content AS previous_content
FROM robots_versions
WHERE domain_id = $1 AND (detected_at, id) < ($2, $3)
ORDER BY detected_at DESC, id DESC
LIMIT 1
