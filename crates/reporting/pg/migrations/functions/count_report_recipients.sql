-- Locks: SHARE ROW EXCLUSIVE on report_recipients for a moment.

CREATE OR REPLACE FUNCTION count_report_recipients() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    template uuid := coalesce(NEW.template_id, OLD.template_id);
BEGIN
    -- Whoever counts at the same time is waited for; the count comes after that.
    PERFORM FROM report_templates AS t WHERE t.id = template FOR NO KEY UPDATE;
    UPDATE report_templates AS t
    SET recipients_count = (
        SELECT count(*) FROM report_recipients AS r
        WHERE r.template_id = t.id AND r.confirmed_at IS NOT NULL AND r.unsubscribed_at IS NULL
    )
    WHERE t.id = template;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION count_report_recipients () IS
    'Counts the recipients that the reports of a template go to.';

CREATE OR REPLACE TRIGGER count_report_recipients
    AFTER INSERT OR UPDATE OF confirmed_at, unsubscribed_at OR DELETE ON report_recipients
    FOR EACH ROW EXECUTE FUNCTION count_report_recipients();
