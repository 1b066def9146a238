INSERT INTO rum_error_groups AS known (
    kind, domain_id, message, name, source, is_handled, filename, line, column_number, stack, causes, is_third_party,
    is_opaque, first_seen_at, last_seen_at
)
SELECT
    g.kind, g.domain_id,
    -- Errors beyond the bound of a day are one kind, of which nothing is shown.
    CASE WHEN o.is_other THEN t.value ELSE g.message END,
    CASE WHEN NOT o.is_other THEN g.name END,
    g.source, g.is_handled,
    CASE WHEN NOT o.is_other THEN g.filename END,
    CASE WHEN NOT o.is_other THEN g.line END,
    CASE WHEN NOT o.is_other THEN g.column_number END,
    CASE WHEN NOT o.is_other THEN g.stack END,
    CASE WHEN o.is_other THEN '{}' ELSE g.causes END,
    g.is_third_party AND NOT o.is_other, g.is_opaque AND NOT o.is_other,
    g.first_seen_at, g.last_seen_at
FROM jsonb_populate_recordset(NULL::rum_error_groups, $1) AS g
JOIN rum_texts AS t ON t.domain_id = g.domain_id AND t.id = g.kind
CROSS JOIN LATERAL (SELECT t.value = $2 AS is_other) AS o
ORDER BY g.kind
ON CONFLICT (kind) DO UPDATE SET
    first_seen_at = least(known.first_seen_at, excluded.first_seen_at),
    last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)
WHERE excluded.last_seen_at > known.last_seen_at + interval '1 minute' OR excluded.first_seen_at < known.first_seen_at
