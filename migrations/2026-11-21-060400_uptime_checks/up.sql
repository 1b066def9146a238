-- Checks, in monthly partitions, so that retention drops whole months.
-- Locks: creates tables only; the reference takes SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE uptime_checks (
    id uuid NOT NULL,
    domain_id uuid NOT NULL REFERENCES domains (id),
    region text NOT NULL,
    checked_at timestamptz NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('up', 'down', 'degraded', 'maintenance', 'blocked')),
    run_id uuid,
    status_code integer,
    http_version text CHECK (http_version IN ('1.0', '1.1', '2')),
    response_ms double precision,
    dns_ms double precision,
    connect_ms double precision,
    tls_ms double precision,
    ttfb_ms double precision,
    download_ms double precision,
    redirect_count integer NOT NULL,
    final_url text,
    response_bytes bigint,
    ip_address inet,
    error_class text,
    error_message text,
    keyword_matched boolean,
    retry_index integer NOT NULL,
    PRIMARY KEY (domain_id, checked_at, id)
) PARTITION BY RANGE (checked_at);
CREATE INDEX uptime_checks_run_id_idx ON uptime_checks (run_id) WHERE run_id IS NOT NULL;
COMMENT ON TABLE uptime_checks IS
    'Every check of a site. The primary key, read backwards, serves lists that begin with the newest.';
COMMENT ON COLUMN uptime_checks.run_id IS 'The run that asked for it; null: the schedule.';
COMMENT ON COLUMN uptime_checks.response_ms IS 'All of it in milliseconds; the columns after it are its parts. Null: not measured.';
COMMENT ON COLUMN uptime_checks.response_bytes IS 'The size of the body as sent.';
COMMENT ON COLUMN uptime_checks.error_class IS 'Why it failed, from a closed list that grows with the prober; so no CHECK.';
COMMENT ON COLUMN uptime_checks.keyword_matched IS 'Whether the keyword was found; null without a rule.';
COMMENT ON COLUMN uptime_checks.retry_index IS '0 for the first attempt.';

CREATE TABLE uptime_checks_default PARTITION OF uptime_checks DEFAULT;
COMMENT ON TABLE uptime_checks_default IS 'Checks of months that have no partition: a safety net, normally empty.';

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

SELECT ensure_uptime_check_partitions(now());
