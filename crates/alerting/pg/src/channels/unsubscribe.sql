WITH ended AS (
    UPDATE alert_channels
    SET off_reason = $4,
        updated_at = $3,
        -- A notification tells of it, and is over once a mail arrives again.
        failure_told_at = coalesce(failure_told_at, $3)
    -- The token itself is there until an older version's row is sealed.
    WHERE (unsubscribe_digest = $1 OR unsubscribe_token = $2) AND target ->> 'kind' = 'email' AND off_reason IS NULL
    RETURNING id
),
noted AS (
    INSERT INTO audit_log (id, at, actor, action, subject_kind, subject_id, details)
    SELECT uuid_v7(), $3, 'reader', 'channel.unsubscribe', 'channel', id::text, 'null'::jsonb
    FROM ended
)
SELECT id FROM ended
