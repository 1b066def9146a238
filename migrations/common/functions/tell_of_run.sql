-- Locks: SHARE ROW EXCLUSIVE on runs for a moment.

CREATE OR REPLACE FUNCTION tell_of_run() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO notices (
        id, workspace_id, domain_id, kind, severity, module, title, body, data, resource_path, created_at
    )
    SELECT uuid_v7(), d.workspace_id, d.id,
        CASE
            WHEN NEW.kind <> 'report' THEN 'run_finished'
            WHEN NEW.status = 'failed' THEN 'report_failed'
            ELSE 'report_ready'
        END,
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
    LEFT JOIN run_kinds AS k ON k.kind = NEW.kind
    WHERE d.id = NEW.domain_id;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION tell_of_run () IS
    'Tells the people of a workspace that a run is over. Nobody is told of one that was canceled.';

CREATE OR REPLACE TRIGGER tell_of_run AFTER UPDATE OF status ON runs
    FOR EACH ROW
    WHEN (OLD.status IN ('queued', 'running') AND NEW.status IN ('succeeded', 'partial', 'failed'))
    EXECUTE FUNCTION tell_of_run();
