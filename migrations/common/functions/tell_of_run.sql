-- Locks: SHARE ROW EXCLUSIVE on runs for a moment.

CREATE OR REPLACE FUNCTION tell_of_run() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO notices (
        id, workspace_id, domain_id, kind, severity, module, title, body, data, resource_path, created_at
    )
    SELECT uuid_v7(), d.workspace_id, d.id, 'run_finished',
        CASE NEW.status WHEN 'succeeded' THEN 'info' ELSE 'warning' END,
        k.module,
        format(
            '%s: %s %s', d.hostname, coalesce(k.label, 'Run'),
            CASE NEW.status WHEN 'partial' THEN 'failed in part' ELSE NEW.status END
        ),
        concat_ws(
            ' ',
            format('It was asked for on %s UTC.', to_char(NEW.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD "at" HH24:MI')),
            CASE WHEN NEW.total_items IS NOT NULL THEN
                format(
                    '%s of %s items are done, %s failed.',
                    coalesce(NEW.completed_items, 0), NEW.total_items, coalesce(NEW.failed_items, 0)
                )
            END,
            NEW.error_detail
        ),
        jsonb_build_object(
            'run_id', NEW.id,
            'kind', NEW.kind,
            'status', NEW.status,
            'total_items', NEW.total_items,
            'completed_items', NEW.completed_items,
            'failed_items', NEW.failed_items,
            'error_code', NEW.error_code
        ),
        format(k.path, d.id, NEW.id),
        now()
    FROM domains AS d
    LEFT JOIN (
        -- The path is the one by which the answer of the operation has the run polled; null where no group has it yet.
        VALUES
            ('gsc_report', 'gsc', 'Search report', NULL),
            ('analytics_report', 'analytics', 'Analytics report', NULL),
            ('report', 'reports', 'Report', NULL),
            ('inspector', 'indexing', 'URL inspection', NULL),
            ('synthetic', 'synthetic', 'Lab test', NULL),
            ('crux_lookup', 'crux', 'Lookup of field data', NULL),
            ('uptime_check', 'uptime', 'Check', '/domains/%s/uptime/checks?run_id=%s'),
            ('robots_check', 'robots', 'Check of robots.txt', NULL),
            ('sitemap_check', 'sitemap', 'Check of the sitemaps', NULL),
            ('gsc_sync', 'gsc', 'Sync of search data', NULL)
    ) AS k (kind, module, label, path) ON k.kind = NEW.kind
    WHERE d.id = NEW.domain_id;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION tell_of_run () IS
    'Tells the people of a workspace that a run is over. Of one that was canceled nobody is told.';

CREATE OR REPLACE TRIGGER tell_of_run AFTER UPDATE OF status ON runs
    FOR EACH ROW
    WHEN (OLD.status IN ('queued', 'running') AND NEW.status IN ('succeeded', 'partial', 'failed'))
    EXECUTE FUNCTION tell_of_run();
