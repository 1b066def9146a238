-- The schedule may not have seen the domain yet. A shorter interval brings the next check forward, a longer one puts
-- nothing off.
INSERT INTO sitemap_sites AS s (domain_id, workspace_id, next_check_at, interval_seconds)
SELECT d.id, d.workspace_id, now(), $2
FROM domains AS d
JOIN workspaces AS w ON w.id = d.workspace_id
JOIN plans AS p ON p.key = w.plan_key
WHERE d.id = $1 AND d.deleted_at IS NULL AND 'sitemap' = ANY (p.modules)
ON CONFLICT (domain_id) DO UPDATE
SET interval_seconds = excluded.interval_seconds,
    next_check_at = least(s.next_check_at, now() + excluded.interval_seconds * interval '1 second')
