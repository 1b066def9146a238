-- Dropping a partition needs the whole table for itself, and everyone who comes queues behind the one who waits for
-- it: so the wait is short. A partition that can't be dropped now is dropped the next time.
CREATE OR REPLACE FUNCTION drop_partitions(parent regclass, before timestamptz) RETURNS integer
LANGUAGE plpgsql
SET lock_timeout = '250ms'
AS $$
DECLARE
    key text;
    rest regclass;
    partition regclass;
    dropped integer := 0;
BEGIN
    SELECT a.attname, p.partdefid INTO STRICT key, rest
    FROM pg_partitioned_table AS p
    JOIN pg_attribute AS a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
    WHERE p.partrelid = parent;
    PERFORM pg_advisory_xact_lock(hashtext('ensure_partitions'));
    FOR partition IN
        SELECT c.oid
        FROM pg_inherits AS i
        JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = parent AND c.oid <> rest
            AND substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz <= before
        ORDER BY c.relname
    LOOP
        EXECUTE format('DROP TABLE %s', partition);
        dropped := dropped + 1;
    END LOOP;
    EXECUTE format('DELETE FROM %s WHERE %I < $1', rest, key) USING before;
    RETURN dropped;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN 0;
END
$$;
COMMENT ON FUNCTION drop_partitions (regclass, timestamptz) IS
    'Drops the partitions of a table that end before a moment, and deletes what the default partition has from before it. Returns how many it dropped: none where the table is in use for too long.';
