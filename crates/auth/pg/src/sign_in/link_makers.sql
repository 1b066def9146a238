WITH links AS (
    SELECT at, id, actor
    FROM audit_log
    WHERE subject_kind = 'user' AND subject_id = $1::text AND action = 'user.link'
),
last_set AS (
    SELECT at, id
    FROM audit_log
    WHERE subject_kind = 'user' AND subject_id = $1::text AND action = 'user.set-password'
    ORDER BY at DESC, id DESC
    LIMIT 1
),
-- A user has one link at a time, so a password was set by the last one that was made before.
used AS (
    SELECT links.actor
    FROM links
    JOIN last_set ON (links.at, links.id) < (last_set.at, last_set.id)
    ORDER BY links.at DESC, links.id DESC
    LIMIT 1
),
still_good AS (
    SELECT links.actor
    FROM links
    WHERE EXISTS (SELECT FROM sign_in_links WHERE user_id = $1 AND expires_at > $2)
    ORDER BY links.at DESC, links.id DESC
    LIMIT 1
)
SELECT actor FROM used
UNION
SELECT actor FROM still_good
