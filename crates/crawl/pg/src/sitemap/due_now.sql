-- A check that is under way has read the files already: its claim ends, so that it puts nothing off.
INSERT INTO sitemap_sites AS s (domain_id, workspace_id, next_check_at)
SELECT d.id, d.workspace_id, now() FROM domains AS d WHERE d.id = $1 AND d.deleted_at IS NULL
ON CONFLICT (domain_id) DO UPDATE SET next_check_at = least(s.next_check_at, now()), leased_until = NULL
