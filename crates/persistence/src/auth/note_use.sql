UPDATE api_keys AS k
SET last_used_at = used.at
FROM unnest($1, $2) AS used (id, at)
WHERE k.id = used.id
    AND (k.last_used_at IS NULL OR k.last_used_at <= used.at - interval '1 minute')
