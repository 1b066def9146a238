-- As if no rule had ever been evaluated.
DELETE FROM jobs WHERE kind = 'alert_delivery';
DELETE FROM alert_deliveries;
DELETE FROM notifications;
DELETE FROM alert_history;
DELETE FROM alert_pending_events;
DELETE FROM alert_wakes;
UPDATE alert_evaluations
SET state = 'ok', is_open = false, last_value = NULL, last_fired_at = NULL, last_evaluated_at = NULL,
    next_evaluation_at = now() + interval '1 hour', leased_until = NULL, put_off_until = NULL, told_through = NULL;
-- Some sites had events meanwhile, each twice.
INSERT INTO metric_events (domain_id, module, metric, at, context)
SELECT s.domain_id, 'uptime', metric, now(), '{}'
FROM bench_sites AS s
CROSS JOIN unnest(ARRAY['ssl_certificate_changed', 'domain_registration_changed']) AS metric
CROSS JOIN generate_series(1, 2)
WHERE s.has_events;
DELETE FROM alert_wakes;
