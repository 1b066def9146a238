-- A row of the log. Where the details name no workspace, it is that of an earlier row about the same thing. A user is of several
-- workspaces, and their own affairs are of none.
INSERT INTO audit_log (id, at, actor, action, subject_kind, subject_id, details, source, workspace_id)
VALUES (
    $1, $2, $3, $4, $5, $6, $7, $8,
    coalesce(
        $9,
        (
            SELECT workspace_id
            FROM audit_log
            WHERE $5 <> 'user' AND subject_kind = $5 AND subject_id = $6 AND workspace_id IS NOT NULL
            ORDER BY at DESC
            LIMIT 1
        )
    )
)
