-- Locks: SHARE ROW EXCLUSIVE on metric_events for a moment.

CREATE OR REPLACE FUNCTION queue_metric_events() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO alert_pending_events (rule_id, at, context)
    SELECT r.id, e.at, e.context
    FROM new_events AS e
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
