SELECT l.record
FROM crux_lookups AS l
WHERE l.domain_id = $1
    AND coalesce(l.subject, l.record -> 'subject') = $2
    AND coalesce(l.form_factor, l.record ->> 'form_factor') = $3
ORDER BY l.made_at DESC
LIMIT 1
