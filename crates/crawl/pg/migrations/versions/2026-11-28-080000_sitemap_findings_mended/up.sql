-- Findings of sitemap files that went are forgotten, and pages that robots.txt blocks are worked out anew where some crawlers had no
-- room.
-- Locks: ROW EXCLUSIVE on sitemap_issues and sitemap_sites while their rows are changed; there are 1,000 files a domain at most.

DELETE FROM sitemap_issues AS i USING sitemap_files AS f WHERE f.id = i.file_id AND f.removed_at IS NOT NULL;

-- They are stale, so that the next check works them out.
UPDATE sitemap_sites AS s
SET conflicts = jsonb_set(s.conflicts, '{computed_at}', to_jsonb(s.last_changed_at - interval '1 second'))
WHERE s.last_changed_at <= (s.conflicts ->> 'computed_at')::timestamptz
    AND (SELECT count(*) FROM jsonb_object_keys(s.conflicts -> 'totals')) > 10;

COMMENT ON TABLE sitemap_conflicts IS
    'Pages of sitemaps that robots.txt keeps a crawler from, the first 10,000 of a crawler at most.';
