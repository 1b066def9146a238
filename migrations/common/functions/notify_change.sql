CREATE OR REPLACE FUNCTION notify_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('pharos_changes', TG_TABLE_NAME);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION notify_change () IS 'NOTIFY pharos_changes with the name of the table.';
