-- Locks: SHARE ROW EXCLUSIVE on notifications for a moment.

CREATE OR REPLACE FUNCTION keep_late_unread() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO notification_reads (user_id, notification_id)
    SELECT DISTINCT m.user_id, n.id
    FROM new_notifications AS n
    JOIN notification_read_marks AS m ON m.domain_id = n.domain_id AND m.kind = n.kind AND m.read_before > n.created_at;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION keep_late_unread () IS
    'Nobody has read a notification that comes after a mark, though by the clock of its node it was made before it.';

CREATE OR REPLACE TRIGGER keep_late_unread AFTER INSERT ON notifications
    REFERENCING NEW TABLE AS new_notifications
    FOR EACH STATEMENT EXECUTE FUNCTION keep_late_unread();
