CREATE OR REPLACE FUNCTION last_read_marks(reader uuid, domain uuid, workspaces uuid[], kinds text[])
RETURNS TABLE (domain_id uuid, kind text, read_before timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT d.id, k.kind, coalesce(last.read_before, '-infinity')
    FROM domains AS d
    CROSS JOIN unnest(kinds) AS k (kind)
    LEFT JOIN LATERAL (
        SELECT m.read_before
        FROM notification_read_marks AS m
        WHERE m.user_id = reader AND m.domain_id = d.id AND m.kind = k.kind
        ORDER BY m.read_before DESC
        LIMIT 1
    ) AS last ON true
    WHERE (d.id = domain OR d.workspace_id = ANY (workspaces)) AND d.deleted_at IS NULL
$$;
COMMENT ON FUNCTION last_read_marks (uuid, uuid, uuid[], text[]) IS
    'Says, for a live domain or all of the workspaces, up to where a user has read the notifications of each kind at once.';
