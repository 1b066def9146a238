CREATE OR REPLACE FUNCTION ensure_partitions(parent regclass, grain text, present timestamptz, ahead integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    step interval := CASE grain WHEN 'day' THEN interval '1 day' WHEN 'month' THEN interval '1 month' END;
    name_of text := CASE grain WHEN 'day' THEN 'YYYY_MM_DD' ELSE 'YYYY_MM' END;
    first_start timestamp := date_trunc(grain, present AT TIME ZONE 'UTC');
    parent_name text;
    space oid;
    key text;
    rest regclass;
    range_start timestamptz;
    range_end timestamptz;
    partition text;
    created integer := 0;
BEGIN
    IF step IS NULL THEN
        RAISE EXCEPTION 'partitions are made by day or month, not by %', grain;
    END IF;
    SELECT c.relname, c.relnamespace, a.attname, p.partdefid INTO STRICT parent_name, space, key, rest
    FROM pg_partitioned_table AS p
    JOIN pg_class AS c ON c.oid = p.partrelid
    JOIN pg_attribute AS a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
    WHERE p.partrelid = parent;
    FOR number IN 0..ahead LOOP
        range_start := (first_start + number * step) AT TIME ZONE 'UTC';
        range_end := (first_start + (number + 1) * step) AT TIME ZONE 'UTC';
        partition := parent_name || '_' || to_char(range_start AT TIME ZONE 'UTC', name_of);
        -- Read from the catalogue itself: to_regclass may answer what was true before the wait.
        CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relname = partition AND relnamespace = space);
        -- One at a time; whoever waited here finds the partition made.
        PERFORM pg_advisory_xact_lock(hashtext('ensure_partitions'));
        CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relname = partition AND relnamespace = space);
        EXECUTE format('CREATE TABLE %I (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition, parent);
        EXECUTE format('COMMENT ON TABLE %I IS %L', partition, format('One %s of %s, UTC.', grain, parent_name));
        -- The parent before its partitions, as everybody locks them.
        EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
        -- Nobody writes to the default partition between the move and the attachment, which would fail.
        EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', rest);
        EXECUTE format(
            'WITH moved AS (DELETE FROM %s WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
            rest, key, range_start, key, range_end, partition
        );
        -- Attaching, unlike creating it as a partition, lets rows be written meanwhile.
        EXECUTE format(
            'ALTER TABLE %s ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
            parent, partition, range_start, range_end
        );
        created := created + 1;
    END LOOP;
    RETURN created;
END
$$;
COMMENT ON FUNCTION ensure_partitions (regclass, text, timestamptz, integer) IS
    'Makes the partitions of a table (by day or month, UTC) for a moment and so many after it, and moves there what the default partition has of them. Returns how many it made.';
