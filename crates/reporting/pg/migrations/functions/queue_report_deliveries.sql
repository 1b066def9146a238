-- Locks: SHARE ROW EXCLUSIVE on runs for a moment.

CREATE OR REPLACE FUNCTION queue_report_deliveries() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    WITH added AS (
        INSERT INTO report_deliveries (id, run_id, recipient_id, state, created_at)
        SELECT uuid_v7(), a.run_id, r.id, 'queued', now()
        FROM report_runs AS a
        JOIN report_recipients AS r ON r.template_id = a.template_id
        WHERE a.run_id = NEW.id AND a.is_mailed AND r.confirmed_at IS NOT NULL AND r.unsubscribed_at IS NULL
        -- A recipient that is being removed is waited for, and left out.
        FOR KEY SHARE OF r
        ON CONFLICT DO NOTHING
        RETURNING id
    )
    INSERT INTO jobs (id, kind, payload, state, run_at, attempts, max_attempts, created_at, workspace_id)
    SELECT n.id, 'report_delivery', jsonb_build_object('delivery_id', n.id), 'queued', now(), 0, 11, now(), d.workspace_id
    FROM added AS n
    JOIN domains AS d ON d.id = NEW.domain_id;
    IF FOUND THEN
        PERFORM pg_notify('pharos_jobs', 'report_delivery');
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION queue_report_deliveries () IS
    'Queues a report that is made for the recipients of its template, with the jobs that send it: kind, payload and attempts as reporting::mails has them.';

CREATE OR REPLACE TRIGGER queue_report_deliveries AFTER UPDATE OF status ON runs
    FOR EACH ROW
    WHEN (NEW.kind = 'report' AND OLD.status IN ('queued', 'running') AND NEW.status = 'succeeded')
    EXECUTE FUNCTION queue_report_deliveries();
