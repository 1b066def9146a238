-- Checks have a function of their own again.
-- Locks: none on tables; a function is replaced.

DROP FUNCTION drop_partitions (regclass, timestamptz);
DROP FUNCTION ensure_partitions (regclass, text, timestamptz, integer);

CREATE FUNCTION ensure_uptime_check_partitions(present timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    month_start timestamptz;
    month_end timestamptz;
    partition text;
    created integer := 0;
BEGIN
    FOR ahead IN 0..2 LOOP
        month_start := (date_trunc('month', present AT TIME ZONE 'UTC') + make_interval(months => ahead)) AT TIME ZONE 'UTC';
        month_end := (date_trunc('month', present AT TIME ZONE 'UTC') + make_interval(months => ahead + 1)) AT TIME ZONE 'UTC';
        partition := 'uptime_checks_' || to_char(month_start AT TIME ZONE 'UTC', 'YYYY_MM');
        CONTINUE WHEN to_regclass(partition) IS NOT NULL;
        -- One at a time; whoever waited here finds the partition made.
        PERFORM pg_advisory_xact_lock(hashtext('ensure_uptime_check_partitions'));
        CONTINUE WHEN to_regclass(partition) IS NOT NULL;
        EXECUTE format('CREATE TABLE %I (LIKE uptime_checks INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
        EXECUTE format('COMMENT ON TABLE %I IS %L', partition, 'Checks of one month, UTC.');
        -- Nobody writes to the default partition between the move and the attachment, which would fail.
        LOCK TABLE uptime_checks_default IN ACCESS EXCLUSIVE MODE;
        EXECUTE format(
            'WITH moved AS (DELETE FROM uptime_checks_default WHERE checked_at >= %L AND checked_at < %L RETURNING *) '
            'INSERT INTO %I SELECT * FROM moved',
            month_start, month_end, partition
        );
        -- Attaching, unlike creating it as a partition, lets checks be written meanwhile.
        EXECUTE format(
            'ALTER TABLE uptime_checks ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
            partition, month_start, month_end
        );
        created := created + 1;
    END LOOP;
    RETURN created;
END
$$;
COMMENT ON FUNCTION ensure_uptime_check_partitions (timestamptz) IS
    'Makes the partitions of the month of the argument and of the next two, and moves there what the default partition has of them. Returns how many it made.';
