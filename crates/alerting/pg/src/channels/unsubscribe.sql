WITH ended AS (
    UPDATE alert_channels
    SET off_reason = 'its reader unsubscribed by the link in a mail', updated_at = $2
    WHERE unsubscribe_token = $1 AND target ->> 'kind' = 'email' AND off_reason IS NULL
    RETURNING id
)
INSERT INTO audit_log (id, at, actor, action, subject_kind, subject_id, details)
SELECT uuid_v7(), $2, 'reader', 'channel.unsubscribe', 'channel', id::text, 'null'::jsonb
FROM ended
