-- Locks: SHARE ROW EXCLUSIVE on notices for a moment.

CREATE OR REPLACE FUNCTION tell_outcome_of_run() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    regions bigint;
    worst text;
    alike bigint;
BEGIN
    SELECT c.outcome, count(*), sum(count(*)) OVER ()
    INTO worst, alike, regions
    FROM (
        SELECT DISTINCT ON (c.region) c.region, c.outcome
        FROM uptime_checks AS c
        WHERE c.run_id = (NEW.data ->> 'run_id')::uuid
        ORDER BY c.region, c.checked_at DESC, c.id DESC
    ) AS c
    GROUP BY c.outcome
    ORDER BY array_position(ARRAY['down', 'blocked', 'degraded', 'maintenance', 'up'], c.outcome)
    LIMIT 1;
    IF worst IS NULL THEN
        RETURN NEW;
    END IF;
    NEW.data := NEW.data || jsonb_build_object('outcome', worst);
    IF NEW.data ->> 'status' = 'succeeded' THEN
        NEW.title := format(
            '%s: Check finished: %s', (SELECT d.hostname FROM domains AS d WHERE d.id = NEW.domain_id),
            CASE WHEN alike = regions THEN worst ELSE format('%s in %s of %s regions', worst, alike, regions) END
        );
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION tell_outcome_of_run () IS
    'Whoever asked for a check is told what it found, not only that it was made: the worst outcome of its regions.';

CREATE OR REPLACE TRIGGER tell_outcome_of_run BEFORE INSERT ON notices
    FOR EACH ROW
    WHEN (NEW.kind = 'run_finished' AND NEW.data ->> 'kind' = 'uptime_check')
    EXECUTE FUNCTION tell_outcome_of_run();
