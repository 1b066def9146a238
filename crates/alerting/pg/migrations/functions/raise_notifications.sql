-- Locks: SHARE ROW EXCLUSIVE on notices for a moment.

CREATE OR REPLACE FUNCTION raise_notifications() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    -- Statements that may have something to tell seldom do.
    IF NOT EXISTS (SELECT FROM new_notices) THEN
        RETURN NULL;
    END IF;
    INSERT INTO notifications (
        id, workspace_id, domain_id, kind, severity, module, title, body, data, resource_path, created_at
    )
    SELECT id, workspace_id, domain_id, kind, severity, module, title, body, data, resource_path, created_at
    FROM new_notices;
    DELETE FROM notices WHERE id IN (SELECT id FROM new_notices);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION raise_notifications () IS
    'Makes notifications of notices, and takes them out, so that whoever knows something need not know who tells it.';

CREATE OR REPLACE TRIGGER raise_notifications AFTER INSERT ON notices
    REFERENCING NEW TABLE AS new_notices
    FOR EACH STATEMENT EXECUTE FUNCTION raise_notifications();
