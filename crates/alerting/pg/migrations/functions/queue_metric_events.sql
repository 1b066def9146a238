-- Locks: SHARE ROW EXCLUSIVE on metric_events for a moment.

CREATE OR REPLACE FUNCTION queue_metric_events() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    -- One row for a rule, however many happen together: visitors of a site may cause thousands.
    INSERT INTO alert_pending_events (rule_id, at, context, events)
    SELECT r.id, e.at, e.context, e.events
    FROM (
        SELECT DISTINCT ON (n.domain_id, n.module, n.metric) n.domain_id, n.module, n.metric, n.at, n.context,
            count(*) OVER (PARTITION BY n.domain_id, n.module, n.metric) AS events
        FROM new_events AS n
        ORDER BY n.domain_id, n.module, n.metric, n.number DESC
    ) AS e
    JOIN alert_rules AS r ON r.domain_id = e.domain_id AND r.module = e.module AND r.metric = e.metric
    WHERE r.enabled;
    INSERT INTO alert_wakes (domain_id)
    SELECT DISTINCT e.domain_id
    FROM new_events AS e
    WHERE EXISTS (SELECT FROM alert_rules AS r WHERE r.domain_id = e.domain_id AND r.enabled);
    IF FOUND THEN
        PERFORM pg_notify('pharos_due', ' alerts');
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION queue_metric_events () IS
    'Keeps events for the rules that count them, and has the rules of their domains evaluated at once. It only inserts: whoever records an event waits for no rule.';

CREATE OR REPLACE TRIGGER queue_metric_events AFTER INSERT ON metric_events
    REFERENCING NEW TABLE AS new_events
    FOR EACH STATEMENT EXECUTE FUNCTION queue_metric_events();
