-- Locks: SHARE ROW EXCLUSIVE on runs for a moment.

CREATE OR REPLACE FUNCTION note_report_over() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE report_runs SET is_over = NEW.status IN ('failed', 'canceled', 'expired') WHERE run_id = NEW.id;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION note_report_over () IS
    'Notes at a report whether its run is over without a result that is kept. A run whose job an operator tries again is not over any more.';

CREATE OR REPLACE TRIGGER note_report_over AFTER UPDATE OF status ON runs
    FOR EACH ROW
    WHEN (
        NEW.kind = 'report'
        AND (OLD.status IN ('failed', 'canceled', 'expired')) <> (NEW.status IN ('failed', 'canceled', 'expired'))
    )
    EXECUTE FUNCTION note_report_over();
