INSERT INTO indexing_changes (id, domain_id, url_id, changed_at, field, before, after, direction)
SELECT n.id, $1, n.url_id, n.changed_at, n.field, n.before, n.after, n.direction
FROM jsonb_to_recordset($2) AS n (
    id uuid, url_id uuid, changed_at timestamptz, field text, before text, after text, direction text
)
