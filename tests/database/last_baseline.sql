--
-- PostgreSQL database dump
--



SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: bring_back_cycles(uuid[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.bring_back_cycles(workspace_ids uuid[], present timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE credit_log AS l SET occurred_at = now()
    FROM credit_balances AS b
    WHERE b.workspace_id = ANY (workspace_ids) AND b.cycle_start > present
        AND l.workspace_id = b.workspace_id AND l.occurred_at > present;
    UPDATE credit_member_usage AS u SET cycle_start = c.cycle_start
    FROM credit_balances AS b
    JOIN workspaces AS w ON w.id = b.workspace_id
    CROSS JOIN LATERAL credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, now()) AS c
    WHERE b.workspace_id = ANY (workspace_ids) AND b.cycle_start > present
        AND u.workspace_id = b.workspace_id AND u.cycle_start = b.cycle_start;
    UPDATE credit_balances AS b SET
        cycle_start = c.cycle_start,
        cycle_end = c.cycle_end,
        used = (
            SELECT coalesce(sum(l.cost), 0)
            FROM credit_log AS l
            WHERE l.workspace_id = b.workspace_id AND l.occurred_at >= c.cycle_start AND l.occurred_at < c.cycle_end
        )
    FROM workspaces AS w
    CROSS JOIN LATERAL credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, now()) AS c
    WHERE b.workspace_id = ANY (workspace_ids) AND b.cycle_start > present AND w.id = b.workspace_id;
END
$$;


--
-- Name: FUNCTION bring_back_cycles(workspace_ids uuid[], present timestamp with time zone); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.bring_back_cycles(workspace_ids uuid[], present timestamp with time zone) IS 'Begins the present cycle of those workspaces whose cycle lies ahead: a clock began it that has been set back. Its charges become the present one''s. Whoever calls it holds the balances.';


--
-- Name: claim_idempotency_key(uuid, text, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.claim_idempotency_key(credential uuid, key text, patience_ms integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    usual text := current_setting('lock_timeout');
BEGIN
    PERFORM set_config('lock_timeout', patience_ms::text, true);
    PERFORM pg_advisory_xact_lock(hashtextextended(key, hashtextextended(credential::text, 0)));
    PERFORM set_config('lock_timeout', usual, true);
    RETURN true;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN false;
END
$$;


--
-- Name: FUNCTION claim_idempotency_key(credential uuid, key text, patience_ms integer); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.claim_idempotency_key(credential uuid, key text, patience_ms integer) IS 'Makes the transaction the only one that serves the key, once those before it have ended. False: they did not within that many milliseconds.';


--
-- Name: count_capped_members(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_capped_members() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.credit_cap IS NOT NULL THEN
        UPDATE credit_balances SET capped_members = capped_members - 1 WHERE workspace_id = OLD.workspace_id;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.credit_cap IS NOT NULL THEN
        UPDATE credit_balances SET capped_members = capped_members + 1 WHERE workspace_id = NEW.workspace_id;
    END IF;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION count_capped_members(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.count_capped_members() IS 'Counts a workspace''s members with a cap in its balance.';


--
-- Name: credit_cycle(date, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.credit_cycle(anchor date, at timestamp with time zone, OUT cycle_start timestamp with time zone, OUT cycle_end timestamp with time zone) RETURNS record
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    -- Months are always added to the anchor itself, which clips each to the length of its month.
    SELECT (anchor + make_interval(months => months)) AT TIME ZONE 'UTC',
        (anchor + make_interval(months => months + 1)) AT TIME ZONE 'UTC'
    FROM (
        SELECT apart - (day < anchor + make_interval(months => apart))::integer AS months
        FROM (
            SELECT at AT TIME ZONE 'UTC' AS day,
                (
                    12 * (extract(year FROM at AT TIME ZONE 'UTC') - extract(year FROM anchor))
                    + extract(month FROM at AT TIME ZONE 'UTC') - extract(month FROM anchor)
                )::integer AS apart
        ) AS distance
    ) AS begun
$$;


--
-- Name: FUNCTION credit_cycle(anchor date, at timestamp with time zone, OUT cycle_start timestamp with time zone, OUT cycle_end timestamp with time zone); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.credit_cycle(anchor date, at timestamp with time zone, OUT cycle_start timestamp with time zone, OUT cycle_end timestamp with time zone) IS 'The monthly cycle that a moment lies in, from 00:00 UTC of the anchor''s day of the month; a shorter month uses its last day.';


--
-- Name: day_before(timestamp with time zone, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.day_before(present timestamp with time zone, kept text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT date_trunc('day', present AT TIME ZONE 'UTC' - kept::interval) AT TIME ZONE 'UTC'
$$;


--
-- Name: FUNCTION day_before(present timestamp with time zone, kept text); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.day_before(present timestamp with time zone, kept text) IS 'The first moment of the UTC day that lies an interval such as 12 months before a moment. Everything older is no longer kept.';


--
-- Name: drop_deliveries(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.drop_deliveries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE alert_deliveries
    SET state = 'dropped', taken_until = NULL, ended_at = now()
    WHERE channel_id = NEW.id AND state = 'queued';
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION drop_deliveries(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.drop_deliveries() IS 'What is on its way to a channel that is switched off is dropped, whoever switches it off: it is not to arrive once the channel is on again.';


--
-- Name: drop_partitions(regclass, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.drop_partitions(parent regclass, before timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET lock_timeout TO '250ms'
    AS $_$
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
$_$;


--
-- Name: FUNCTION drop_partitions(parent regclass, before timestamp with time zone); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.drop_partitions(parent regclass, before timestamp with time zone) IS 'Drops the partitions of a table that end before a moment, and deletes what the default partition has from before it. Returns how many it dropped: none where the table is in use for too long.';


--
-- Name: ensure_partitions(regclass, text, timestamp with time zone, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.ensure_partitions(parent regclass, grain text, present timestamp with time zone, ahead integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: FUNCTION ensure_partitions(parent regclass, grain text, present timestamp with time zone, ahead integer); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.ensure_partitions(parent regclass, grain text, present timestamp with time zone, ahead integer) IS 'Makes the partitions of a table (by day or month, UTC) for a moment and so many after it, and moves there what the default partition has of them. Returns how many it made.';


--
-- Name: grant_by_plan(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.grant_by_plan() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    granted_now bigint;
BEGIN
    SELECT credits_per_cycle INTO granted_now FROM plans WHERE key = NEW.plan_key FOR SHARE;
    UPDATE credit_balances SET granted = granted_now WHERE workspace_id = NEW.id;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION grant_by_plan(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.grant_by_plan() IS 'Grants a workspace what its new plan does.';


--
-- Name: grant_to_workspaces(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.grant_to_workspaces() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    -- In the order in which charges lock. The next statement sees who has left the plan until the locks were ours.
    PERFORM FROM credit_balances AS b
    JOIN workspaces AS w ON w.id = b.workspace_id
    WHERE w.plan_key = NEW.key
    ORDER BY b.workspace_id
    FOR NO KEY UPDATE OF b;
    UPDATE credit_balances AS b SET granted = NEW.credits_per_cycle
    FROM workspaces AS w
    WHERE w.id = b.workspace_id AND w.plan_key = NEW.key;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION grant_to_workspaces(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.grant_to_workspaces() IS 'Grants all workspaces of a plan what it was changed to.';


--
-- Name: keep_late_unread(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_late_unread() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO notification_reads (user_id, notification_id)
    SELECT DISTINCT m.user_id, n.id
    FROM new_notifications AS n
    JOIN notification_read_marks AS m ON m.domain_id = n.domain_id AND m.kind = n.kind AND m.read_before > n.created_at;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION keep_late_unread(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.keep_late_unread() IS 'Nobody has read a notification that comes after a mark, though by the clock of its node it was made before it.';


--
-- Name: last_read_marks(uuid, uuid, uuid[], text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.last_read_marks(reader uuid, domain uuid, workspaces uuid[], kinds text[]) RETURNS TABLE(domain_id uuid, kind text, read_before timestamp with time zone)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT d.id, k.kind, coalesce(last.read_before, '-infinity')
    FROM domains AS d
    CROSS JOIN unnest(kinds) AS k (kind)
    LEFT JOIN LATERAL (
        SELECT m.read_before
        FROM notification_read_marks AS m
        WHERE m.user_id = reader AND m.domain_id = d.id AND m.kind = k.kind
        ORDER BY m.read_before DESC
        LIMIT 1
    ) AS last ON true
    WHERE (d.id = domain OR d.workspace_id = ANY (workspaces)) AND d.deleted_at IS NULL
$$;


--
-- Name: FUNCTION last_read_marks(reader uuid, domain uuid, workspaces uuid[], kinds text[]); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.last_read_marks(reader uuid, domain uuid, workspaces uuid[], kinds text[]) IS 'Of a live domain, or all of the workspaces, up to where a user has read the notifications of each kind at once.';


--
-- Name: move_runs(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.move_runs() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    touched uuid[];
BEGIN
    SELECT array_agg(DISTINCT n.run_id) INTO touched
    FROM jobs_now AS n
    JOIN jobs_before AS b ON b.id = n.id
    WHERE n.run_id IS NOT NULL
        AND (
            n.state <> b.state
            OR (n.total_items, n.completed_items, n.failed_items)
                IS DISTINCT FROM (b.total_items, b.completed_items, b.failed_items)
        );
    IF touched IS NULL THEN
        RETURN NULL;
    END IF;
    -- Workers end jobs of the same runs at once: all lock in one order, and who comes second sees what the first has done.
    PERFORM id FROM runs WHERE id = ANY(touched) ORDER BY id FOR UPDATE;
    UPDATE runs AS r
    SET status = o.status,
        started_at = o.started_at,
        finished_at = o.finished_at,
        expires_at = CASE
            WHEN o.status IN ('succeeded', 'partial') THEN o.finished_at + make_interval(secs => r.result_seconds)
        END,
        total_items = coalesce(r.requested_items, o.total_items, r.total_items),
        completed_items = coalesce(o.completed_items, r.completed_items),
        failed_items = coalesce(o.failed_items, r.failed_items),
        error_code = CASE WHEN o.has_failed THEN coalesce(o.error_code, 'internal-error') END,
        error_detail = CASE WHEN o.has_failed THEN coalesce(o.error_detail, o.untold) END
    FROM (
        SELECT j.run_id,
            CASE
                WHEN j.open > 0 THEN 'running'
                WHEN j.fruitless = j.jobs THEN 'failed'
                WHEN j.dead > 0 OR j.failed_items > 0 THEN 'partial'
                ELSE 'succeeded'
            END AS status,
            coalesce(run.started_at, j.started_at, j.finished_at) AS started_at,
            CASE WHEN j.open = 0 THEN greatest(j.finished_at, run.started_at, j.started_at) END AS finished_at,
            j.open = 0 AND (j.dead > 0 OR j.fruitless = j.jobs) AS has_failed,
            CASE WHEN j.dead > 0 THEN 'Pharos failed to do it.' ELSE 'All of its items failed.' END AS untold,
            -- No more than the columns hold; of nulls alone the least is not null.
            CASE WHEN j.total_items IS NOT NULL THEN least(j.total_items, 2147483647) END AS total_items,
            CASE WHEN j.completed_items IS NOT NULL THEN least(j.completed_items, 2147483647) END AS completed_items,
            CASE WHEN j.failed_items IS NOT NULL THEN least(j.failed_items, 2147483647) END AS failed_items,
            j.error_code,
            j.error_detail
        FROM (
            SELECT run_id,
                count(*) AS jobs,
                count(*) FILTER (WHERE state IN ('queued', 'running')) AS open,
                count(*) FILTER (WHERE state = 'dead') AS dead,
                -- Nothing came of them: they are dead, or all of their items failed.
                count(*) FILTER (
                    WHERE state = 'dead' OR (failed_items > 0 AND coalesce(completed_items, 0) = 0)
                ) AS fruitless,
                sum(total_items) AS total_items,
                sum(completed_items) AS completed_items,
                sum(failed_items) AS failed_items,
                min(started_at) AS started_at,
                max(finished_at) AS finished_at,
                -- The first job that failed for a reason that the caller is told.
                (array_agg(error_code ORDER BY finished_at, id)
                    FILTER (WHERE state = 'dead' AND error_code IS NOT NULL))[1] AS error_code,
                (array_agg(error_detail ORDER BY finished_at, id)
                    FILTER (WHERE state = 'dead' AND error_code IS NOT NULL))[1] AS error_detail
            FROM jobs
            WHERE run_id = ANY(touched)
            GROUP BY run_id
        ) AS j
        JOIN runs AS run ON run.id = j.run_id
    ) AS o
    WHERE r.id = o.run_id AND r.status IN ('queued', 'running');
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION move_runs(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.move_runs() IS 'Moves the runs on whose jobs changed their state or their items. What a run comes to is read off its jobs, so that nothing counts twice.';


--
-- Name: notification_read_at(uuid, uuid, uuid, text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.notification_read_at(reader uuid, notification uuid, domain uuid, kind text, created_at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $_$
    -- Its own row counts; where it has none, the first mark that was set after it.
    SELECT found.read_at
    FROM (
        (SELECT r.read_at, 1 AS rank FROM notification_reads AS r WHERE r.user_id = $1 AND r.notification_id = $2)
        UNION ALL
        (
            SELECT m.read_at, 2
            FROM notification_read_marks AS m
            WHERE m.user_id = $1 AND m.domain_id = $3 AND m.kind = $4 AND m.read_before > $5
            ORDER BY m.read_before
            LIMIT 1
        )
    ) AS found
    ORDER BY found.rank
    LIMIT 1
$_$;


--
-- Name: FUNCTION notification_read_at(reader uuid, notification uuid, domain uuid, kind text, created_at timestamp with time zone); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.notification_read_at(reader uuid, notification uuid, domain uuid, kind text, created_at timestamp with time zone) IS 'When a user read a notification, alone or with others; null: it is unread.';


--
-- Name: notify_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.notify_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('pharos_changes', TG_TABLE_NAME);
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION notify_change(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.notify_change() IS 'NOTIFY pharos_changes with the name of the table.';


--
-- Name: open_credit_balance(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.open_credit_balance() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO credit_balances (workspace_id, cycle_start, cycle_end, granted)
    SELECT NEW.id, cycle.cycle_start, cycle.cycle_end, p.credits_per_cycle
    FROM plans AS p
    CROSS JOIN credit_cycle((NEW.created_at AT TIME ZONE 'UTC')::date, NEW.created_at) AS cycle
    WHERE p.key = NEW.plan_key
    -- Whoever changes the plan comes before this, or sees the workspace.
    FOR SHARE OF p;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION open_credit_balance(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.open_credit_balance() IS 'Gives a new workspace its balance.';


--
-- Name: queue_metric_events(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.queue_metric_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO alert_pending_events (rule_id, at, context)
    SELECT r.id, e.at, e.context
    FROM new_events AS e
    JOIN alert_rules AS r ON r.domain_id = e.domain_id AND r.module = e.module AND r.metric = e.metric
    WHERE r.enabled;
    INSERT INTO alert_wakes (domain_id)
    SELECT DISTINCT e.domain_id
    FROM new_events AS e
    WHERE EXISTS (SELECT FROM alert_rules AS r WHERE r.domain_id = e.domain_id AND r.enabled);
    IF FOUND THEN
        PERFORM pg_notify('pharos_due', ' alerts');
    END IF;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION queue_metric_events(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.queue_metric_events() IS 'Keeps events for the rules that count them, and has the rules of their domains evaluated at once. It only inserts: whoever records an event waits for no rule.';


--
-- Name: queue_raised_deliveries(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.queue_raised_deliveries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    queued uuid[];
BEGIN
    WITH added AS (
        INSERT INTO alert_deliveries (id, channel_id, notification_id, event, state, created_at)
        SELECT uuid_v7(), c.id, n.id, 'raised', 'queued', now()
        FROM new_notifications AS n
        JOIN alert_channels AS c ON c.workspace_id = n.workspace_id
        WHERE c.off_reason IS NULL
            AND (c.domain_id IS NULL OR c.domain_id = n.domain_id)
            AND (c.modules IS NULL OR n.module = ANY (c.modules))
            AND array_position(ARRAY['info', 'warning', 'critical'], n.severity)
                >= array_position(ARRAY['info', 'warning', 'critical'], c.min_severity)
            -- A channel is not told about itself.
            AND n.data ->> 'channel_id' IS DISTINCT FROM c.id::text
        -- A channel that is being deleted is waited for, and left out.
        FOR KEY SHARE OF c
        RETURNING id
    )
    SELECT array_agg(id) INTO queued FROM added;
    PERFORM send_deliveries(queued);
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION queue_raised_deliveries(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.queue_raised_deliveries() IS 'Queues new notifications for the channels that want them, so that whoever stores a notification need not know of channels.';


--
-- Name: queue_resolved_deliveries(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.queue_resolved_deliveries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    queued uuid[];
BEGIN
    WITH added AS (
        INSERT INTO alert_deliveries (id, channel_id, notification_id, event, state, created_at)
        SELECT uuid_v7(), d.channel_id, d.notification_id, 'resolved', 'queued', now()
        FROM notifications_now AS n
        JOIN notifications_before AS b ON b.id = n.id AND b.resolved_at IS NULL
        JOIN alert_deliveries AS d ON d.notification_id = n.id AND d.event = 'raised' AND d.state IN ('queued', 'sent')
        WHERE n.resolved_at IS NOT NULL
        ON CONFLICT DO NOTHING
        RETURNING id
    )
    SELECT array_agg(id) INTO queued FROM added;
    PERFORM send_deliveries(queued);
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION queue_resolved_deliveries(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.queue_resolved_deliveries() IS 'Whoever was told of something is told that it is over.';


--
-- Name: quota_crossed(bigint, bigint, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.quota_crossed(before bigint, after bigint, allowance bigint) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    -- Four fifths of an allowance, rounded up, without a product that might be too large. Nobody comes from below an
    -- allowance of 0.
    SELECT CASE
        WHEN before < allowance AND after >= allowance THEN 100
        WHEN before < allowance - allowance / 5 AND after >= allowance - allowance / 5 THEN 80
    END
$$;


--
-- Name: FUNCTION quota_crossed(before bigint, after bigint, allowance bigint); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.quota_crossed(before bigint, after bigint, allowance bigint) IS 'The percentage of an allowance, 80 or 100, that charges have used and that was not used before them: the higher of the two. Null: neither.';


--
-- Name: quota_notice(uuid, integer, bigint, bigint, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.quota_notice(member uuid, percent integer, used bigint, allowance bigint, resets_at timestamp with time zone, OUT severity text, OUT title text, OUT body text, OUT data jsonb) RETURNS record
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE percent WHEN 100 THEN 'critical' ELSE 'warning' END,
        CASE
            WHEN member IS NULL THEN format('%s %% of this cycle''s credits are used', percent)
            ELSE format('%s %% of the credits that %s may use are used', percent, who.name)
        END,
        format('%s of %s credits are used; the next cycle begins on %s.', says.spent, says.granted, says.resets_on)
            || CASE
                WHEN percent < 100 THEN ''
                WHEN member IS NULL THEN ' Until then calls that cost credits are refused.'
                ELSE ' Until then calls of this member that cost credits are refused.'
            END,
        jsonb_build_object(
            'scope', CASE WHEN member IS NULL THEN 'workspace' ELSE 'member' END,
            'user_id', member,
            'percent', percent,
            'used', used,
            'limit', allowance,
            'resets_on', says.resets_on
        )
    FROM (
        SELECT to_char(used, 'FM999,999,999,999,999,999,999') AS spent,
            to_char(allowance, 'FM999,999,999,999,999,999,999') AS granted,
            to_char(resets_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS resets_on
    ) AS says
    LEFT JOIN users AS who ON who.id = member
$$;


--
-- Name: FUNCTION quota_notice(member uuid, percent integer, used bigint, allowance bigint, resets_at timestamp with time zone, OUT severity text, OUT title text, OUT body text, OUT data jsonb); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.quota_notice(member uuid, percent integer, used bigint, allowance bigint, resets_at timestamp with time zone, OUT severity text, OUT title text, OUT body text, OUT data jsonb) IS 'How a workspace is told that so many percent of its credits of a cycle, or of those that a member''s cap allows, are used. Member null: it is about the workspace.';


--
-- Name: raise_notifications(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.raise_notifications() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: FUNCTION raise_notifications(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.raise_notifications() IS 'Makes notifications of notices, and takes them out, so that whoever knows something need not know who tells it.';


--
-- Name: record_certificate_event(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.record_certificate_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO metric_events (domain_id, module, metric, at, context)
    VALUES (
        NEW.domain_id, 'uptime', 'ssl_certificate_changed', NEW.replaced_at,
        jsonb_build_object('replaced_fingerprint', NEW.fingerprint)
    );
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION record_certificate_event(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.record_certificate_event() IS 'Another certificate took the place of this one.';


--
-- Name: record_incident_event(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.record_incident_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO metric_events (domain_id, module, metric, at, context)
    VALUES (
        NEW.domain_id, 'uptime', 'incident_changed', coalesce(NEW.resolved_at, NEW.confirmed_at),
        jsonb_build_object('incident_id', NEW.id)
    );
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION record_incident_event(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.record_incident_event() IS 'An incident began or ended: no metric counts it, and the rules of its domain are evaluated at once.';


--
-- Name: record_registration_events(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.record_registration_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO metric_events (domain_id, module, metric, at, context)
    SELECT m.domain_id, 'uptime', 'domain_registration_changed', now(), change.value
    FROM uptime_monitors AS m
    JOIN domains AS d ON d.id = m.domain_id AND d.deleted_at IS NULL
    CROSS JOIN jsonb_array_elements(NEW.changes) AS change (value)
    WHERE m.registrable_domain = NEW.name AND NOT OLD.changes @> jsonb_build_array(change.value);
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION record_registration_events(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.record_registration_events() IS 'A registration changed: an event for each change and each domain that lies below the name.';


--
-- Name: schedule_for_workspace(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.schedule_for_workspace() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    SELECT d.workspace_id INTO NEW.workspace_id FROM domains AS d WHERE d.id = NEW.domain_id;
    RETURN NEW;
END
$$;


--
-- Name: FUNCTION schedule_for_workspace(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.schedule_for_workspace() IS 'Notes whose the check is.';


--
-- Name: send_deliveries(uuid[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.send_deliveries(queued uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO jobs (id, kind, payload, state, run_at, attempts, max_attempts, created_at, workspace_id)
    SELECT d.id, 'alert_delivery', jsonb_build_object('delivery_id', d.id), 'queued', now(), 0, 11, now(), c.workspace_id
    FROM alert_deliveries AS d
    JOIN alert_channels AS c ON c.id = d.channel_id
    WHERE d.id = ANY (queued);
    IF FOUND THEN
        PERFORM pg_notify('pharos_jobs', 'alert_delivery');
    END IF;
END
$$;


--
-- Name: FUNCTION send_deliveries(queued uuid[]); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.send_deliveries(queued uuid[]) IS 'Asks for the jobs that send deliveries: kind, payload and attempts as alerting::delivery has them.';


--
-- Name: settle_charges(uuid[], timestamp with time zone[], uuid[], uuid[], uuid[], uuid[], text[], smallint[], integer[], text[], boolean); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.settle_charges(request_ids uuid[], times timestamp with time zone[], workspace_ids uuid[], credential_ids uuid[], user_ids uuid[], domain_ids uuid[], operations text[], statuses smallint[], costs integer[], caches text[], again boolean) RETURNS TABLE(workspace_id uuid, remaining bigint, refused bigint, used bigint, allowance bigint, resets_at timestamp with time zone)
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    -- The database's clock ends cycles. That of a node may be ahead by this much.
    present constant timestamptz := now() + interval '5 seconds';
    everything constant bigint := (SELECT sum(cost) FROM unnest(costs) AS cost);
    has_ended boolean;
    has_late boolean;
    is_ahead boolean;
    -- Whether people may have to be told of what is used.
    is_near boolean;
    -- By their numbers: the charges that an attempt before this one has settled, and those that can't be paid.
    known bigint[] := '{}';
    unpaid bigint[] := '{}';
    unpaid_used bigint[] := '{}';
    unpaid_allowances bigint[] := '{}';
    unpaid_until timestamptz[] := '{}';
    -- The walk through a workspace: what it has used by then, and what each of its users has.
    charge record;
    walked uuid;
    walked_used bigint;
    walkers uuid[];
    walkers_used bigint[];
    walker integer;
BEGIN
    -- Once the locks are held, nobody else changes what is read.
    PERFORM FROM credit_balances AS b WHERE b.workspace_id = ANY (workspace_ids) ORDER BY b.workspace_id FOR NO KEY UPDATE;
    SELECT bool_or(c.at >= b.cycle_end), bool_or(c.at < b.cycle_start), bool_or(b.cycle_start > present),
        bool_or(b.capped_members > 0 OR quota_crossed(b.used, b.used + everything, b.granted) IS NOT NULL)
    INTO has_ended, has_late, is_ahead, is_near
    FROM unnest(workspace_ids, times) AS c (workspace_id, at)
    JOIN credit_balances AS b ON b.workspace_id = c.workspace_id;

    IF is_ahead THEN
        PERFORM bring_back_cycles(workspace_ids, present);
        has_ended := true;
        has_late := true;
    END IF;

    IF has_ended THEN
        UPDATE credit_balances AS b SET cycle_start = next.cycle_start, cycle_end = next.cycle_end, used = 0
        FROM (
            SELECT c.workspace_id, least(max(c.at), present) AS latest
            FROM unnest(workspace_ids, times) AS c (workspace_id, at)
            GROUP BY c.workspace_id
        ) AS wanted
        JOIN workspaces AS w ON w.id = wanted.workspace_id
        CROSS JOIN LATERAL credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, wanted.latest) AS next
        WHERE b.workspace_id = wanted.workspace_id AND wanted.latest >= b.cycle_end;
        has_late := true;
        is_near := true;
    END IF;

    IF again OR has_late THEN
        -- A row has the time that its charge came with, unless that was moved. Look-ups of one row each: as a join
        -- they might read a workspace's whole log.
        known := ARRAY(
            SELECT c.ordinal
            FROM unnest(request_ids, times, workspace_ids) WITH ORDINALITY
                AS c (request_id, at, workspace_id, ordinal)
            JOIN credit_balances AS b ON b.workspace_id = c.workspace_id
            WHERE (
                SELECT true FROM credit_log AS l
                WHERE l.workspace_id = c.workspace_id AND l.occurred_at = c.at AND l.request_id = c.request_id
            ) OR (
                SELECT true FROM credit_log AS l
                WHERE l.workspace_id = c.workspace_id AND l.occurred_at = b.cycle_start AND l.request_id = c.request_id
            ) OR (
                SELECT true FROM credit_log AS l
                WHERE l.workspace_id = c.workspace_id AND l.occurred_at = b.cycle_end - interval '1 microsecond'
                    AND l.request_id = c.request_id
            ) OR (
                SELECT true FROM credit_log AS l
                WHERE l.workspace_id = c.workspace_id AND l.occurred_at = b.cycle_start - interval '1 microsecond'
                    AND l.request_id = c.request_id
            )
        );
        -- A charge that comes after its cycle was closed is the next one's; one of a clock that is past the end of a
        -- cycle which goes on is of its last moment.
        times := ARRAY(
            SELECT least(greatest(c.at, b.cycle_start), b.cycle_end - interval '1 microsecond')
            FROM unnest(workspace_ids, times) WITH ORDINALITY AS c (workspace_id, at, ordinal)
            LEFT JOIN credit_balances AS b ON b.workspace_id = c.workspace_id
            ORDER BY c.ordinal
        );
    END IF;

    -- Where not everything can be paid: one by one, in the order that they came in. One that is refused does
    -- not stop a smaller one after it.
    FOR charge IN
        WITH wanted AS (
            SELECT c.workspace_id, c.user_id, sum(c.cost) AS total
            FROM unnest(workspace_ids, user_ids, costs) WITH ORDINALITY
                AS c (workspace_id, user_id, cost, ordinal)
            WHERE c.ordinal <> ALL (known)
            GROUP BY c.workspace_id, c.user_id
        ), share AS MATERIALIZED (
            SELECT wanted.*, b.used, b.cycle_end, b.granted, m.credit_cap AS cap, coalesce(u.used, 0) AS user_used
            FROM wanted
            JOIN credit_balances AS b ON b.workspace_id = wanted.workspace_id
            LEFT JOIN members AS m ON m.workspace_id = b.workspace_id AND m.user_id = wanted.user_id
            LEFT JOIN credit_member_usage AS u ON u.workspace_id = b.workspace_id
                AND u.user_id = wanted.user_id AND u.cycle_start = b.cycle_start
        ), short AS (
            SELECT workspace_id FROM share
            GROUP BY workspace_id, granted, used
            HAVING sum(total) > greatest(granted - used, 0) OR bool_or(cap IS NOT NULL AND total > greatest(cap - user_used, 0))
        )
        SELECT c.ordinal, c.cost, share.*
        FROM unnest(workspace_ids, user_ids, costs) WITH ORDINALITY AS c (workspace_id, user_id, cost, ordinal)
        JOIN share ON share.workspace_id = c.workspace_id AND share.user_id = c.user_id
        WHERE c.workspace_id IN (SELECT workspace_id FROM short) AND c.ordinal <> ALL (known)
        ORDER BY c.workspace_id, c.ordinal
    LOOP
        IF charge.workspace_id IS DISTINCT FROM walked THEN
            walked := charge.workspace_id;
            walked_used := charge.used;
            walkers := '{}';
            walkers_used := '{}';
        END IF;
        walker := array_position(walkers, charge.user_id);
        IF walker IS NULL THEN
            walkers := walkers || charge.user_id;
            walkers_used := walkers_used || charge.user_used;
            walker := cardinality(walkers);
        END IF;
        IF charge.cost > greatest(charge.granted - walked_used, 0) THEN
            unpaid := unpaid || charge.ordinal;
            unpaid_used := unpaid_used || walked_used;
            unpaid_allowances := unpaid_allowances || charge.granted;
            unpaid_until := unpaid_until || charge.cycle_end;
        ELSIF charge.cap IS NOT NULL AND charge.cost > greatest(charge.cap - walkers_used[walker], 0) THEN
            unpaid := unpaid || charge.ordinal;
            unpaid_used := unpaid_used || walkers_used[walker];
            unpaid_allowances := unpaid_allowances || charge.cap;
            unpaid_until := unpaid_until || charge.cycle_end;
        ELSE
            walked_used := walked_used + charge.cost;
            walkers_used[walker] := walkers_used[walker] + charge.cost;
        END IF;
    END LOOP;

    RETURN QUERY
    WITH settled AS MATERIALIZED (
        SELECT c.*
        FROM unnest(
            request_ids, times, workspace_ids, credential_ids, user_ids, domain_ids, operations, statuses, costs, caches
        ) WITH ORDINALITY AS c (
            request_id, occurred_at, workspace_id, credential_id, user_id, domain_id, operation, status, cost, cache,
            ordinal
        )
        WHERE c.ordinal <> ALL (known || unpaid)
    ), logged AS (
        INSERT INTO credit_log (
            workspace_id, occurred_at, request_id, credential_id, domain_id, operation, status, cost, cache
        )
        SELECT workspace_id, occurred_at, request_id, credential_id, domain_id, operation, status, cost, cache
        FROM settled
    ), spent AS MATERIALIZED (
        SELECT s.workspace_id, s.user_id, sum(s.cost) AS total
        FROM settled AS s
        GROUP BY s.workspace_id, s.user_id
    ), shared AS (
        INSERT INTO credit_member_usage AS u (workspace_id, user_id, cycle_start, used)
        -- A workspace without a balance fails here.
        SELECT s.workspace_id, s.user_id, b.cycle_start, s.total
        FROM spent AS s
        LEFT JOIN credit_balances AS b ON b.workspace_id = s.workspace_id
        ON CONFLICT (workspace_id, user_id) DO UPDATE SET
            cycle_start = excluded.cycle_start,
            used = excluded.used + CASE u.cycle_start WHEN excluded.cycle_start THEN u.used ELSE 0 END
    ), charged AS (
        UPDATE credit_balances AS b SET used = b.used + s.total
        FROM (SELECT spent.workspace_id, sum(spent.total)::bigint AS total FROM spent GROUP BY spent.workspace_id) AS s
        WHERE b.workspace_id = s.workspace_id
        RETURNING b.workspace_id, greatest(b.granted - b.used, 0) AS remaining
    )
    SELECT charged.workspace_id, charged.remaining, NULL::bigint, NULL::bigint, NULL::bigint, NULL::timestamptz
    FROM charged
    UNION ALL
    SELECT b.workspace_id, greatest(b.granted - b.used, 0), NULL, NULL, NULL, NULL
    FROM credit_balances AS b
    WHERE cardinality(known) > 0 AND b.workspace_id = ANY (workspace_ids)
        AND NOT EXISTS (SELECT FROM spent WHERE spent.workspace_id = b.workspace_id)
    UNION ALL
    SELECT NULL, NULL, * FROM unnest(unpaid, unpaid_used, unpaid_allowances, unpaid_until);

    IF is_near THEN
        PERFORM tell_of_quotas(workspace_ids, user_ids, costs, known || unpaid);
    END IF;
END
$$;


--
-- Name: FUNCTION settle_charges(request_ids uuid[], times timestamp with time zone[], workspace_ids uuid[], credential_ids uuid[], user_ids uuid[], domain_ids uuid[], operations text[], statuses smallint[], costs integer[], caches text[], again boolean); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.settle_charges(request_ids uuid[], times timestamp with time zone[], workspace_ids uuid[], credential_ids uuid[], user_ids uuid[], domain_ids uuid[], operations text[], statuses smallint[], costs integer[], caches text[], again boolean) IS 'Charges a batch, whatever is in its way. The first ten arrays are its columns. A row for each workspace that has a charge settled, with what the batch has left it; a row for each charge that was refused, by its number from 1, with what was used of which allowance until when. Charges of an attempt before this one are found again where the last argument says so.';


--
-- Name: tell_of_quotas(uuid[], uuid[], integer[], bigint[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.tell_of_quotas(workspace_ids uuid[], user_ids uuid[], costs integer[], unsettled bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    WITH spent AS MATERIALIZED (
        SELECT c.workspace_id, c.user_id, sum(c.cost) AS total
        FROM unnest(workspace_ids, user_ids, costs) WITH ORDINALITY AS c (workspace_id, user_id, cost, ordinal)
        WHERE c.ordinal <> ALL (unsettled)
        GROUP BY c.workspace_id, c.user_id
    ), crossed AS (
        SELECT b.workspace_id, NULL::uuid AS user_id, quota_crossed(b.used - s.total, b.used, b.granted) AS percent,
            b.used, b.granted AS allowance, b.cycle_end
        FROM (SELECT spent.workspace_id, sum(spent.total)::bigint AS total FROM spent GROUP BY spent.workspace_id) AS s
        JOIN credit_balances AS b ON b.workspace_id = s.workspace_id
        UNION ALL
        SELECT b.workspace_id, u.user_id, quota_crossed(u.used - s.total, u.used, m.credit_cap), u.used, m.credit_cap,
            b.cycle_end
        FROM spent AS s
        JOIN credit_balances AS b ON b.workspace_id = s.workspace_id AND b.capped_members > 0
        JOIN members AS m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id AND m.credit_cap IS NOT NULL
        JOIN credit_member_usage AS u ON u.workspace_id = s.workspace_id AND u.user_id = s.user_id
    )
    INSERT INTO notices (
        id, workspace_id, kind, severity, module, title, body, data, resource_path, created_at
    )
    SELECT uuid_v7(), c.workspace_id, 'quota_warning', n.severity, 'credits', n.title, n.body, n.data,
        '/credits?workspace_id=' || c.workspace_id, now()
    FROM crossed AS c
    CROSS JOIN LATERAL quota_notice(c.user_id, c.percent, c.used, c.allowance, c.cycle_end) AS n
    WHERE c.percent IS NOT NULL;
END
$$;


--
-- Name: FUNCTION tell_of_quotas(workspace_ids uuid[], user_ids uuid[], costs integer[], unsettled bigint[]); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.tell_of_quotas(workspace_ids uuid[], user_ids uuid[], costs integer[], unsettled bigint[]) IS 'Tells the people of workspaces where the charges of a batch, but for those of these numbers, have used 80 or 100 % of a cycle''s credits, or of what a member''s cap allows. To be called once they are made, by who holds the balances.';


--
-- Name: tell_of_run(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.tell_of_run() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO notices (
        id, workspace_id, domain_id, kind, severity, module, title, body, data, resource_path, created_at
    )
    SELECT uuid_v7(), d.workspace_id, d.id, 'run_finished',
        CASE NEW.status WHEN 'succeeded' THEN 'info' ELSE 'warning' END,
        k.module,
        format(
            '%s: %s %s', d.hostname, coalesce(k.label, 'Run'),
            CASE NEW.status WHEN 'partial' THEN 'failed in part' ELSE NEW.status END
        ),
        concat_ws(
            ' ',
            format('It was asked for on %s UTC.', to_char(NEW.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD "at" HH24:MI')),
            CASE WHEN NEW.total_items IS NOT NULL THEN
                format(
                    '%s of %s items are done, %s failed.',
                    coalesce(NEW.completed_items, 0), NEW.total_items, coalesce(NEW.failed_items, 0)
                )
            END,
            NEW.error_detail
        ),
        jsonb_build_object(
            'run_id', NEW.id,
            'kind', NEW.kind,
            'status', NEW.status,
            'total_items', NEW.total_items,
            'completed_items', NEW.completed_items,
            'failed_items', NEW.failed_items,
            'error_code', NEW.error_code
        ),
        format(k.path, d.id, NEW.id),
        now()
    FROM domains AS d
    LEFT JOIN (
        -- The path is the one by which the answer of the operation has the run polled; null where no group has it yet.
        VALUES
            ('gsc_report', 'gsc', 'Search report', NULL),
            ('analytics_report', 'analytics', 'Analytics report', NULL),
            ('report', 'reports', 'Report', NULL),
            ('inspector', 'indexing', 'URL inspection', NULL),
            ('synthetic', 'synthetic', 'Lab test', NULL),
            ('crux_lookup', 'crux', 'Lookup of field data', NULL),
            ('uptime_check', 'uptime', 'Check', '/domains/%s/uptime/checks?run_id=%s'),
            ('robots_check', 'robots', 'Check of robots.txt', NULL),
            ('sitemap_check', 'sitemap', 'Check of the sitemaps', NULL),
            ('gsc_sync', 'gsc', 'Sync of search data', NULL)
    ) AS k (kind, module, label, path) ON k.kind = NEW.kind
    WHERE d.id = NEW.domain_id;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION tell_of_run(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.tell_of_run() IS 'Tells the people of a workspace that a run is over. Of one that was canceled nobody is told.';


--
-- Name: three_digits(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.three_digits(micros bigint) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT CASE
        WHEN micros < 1000 THEN micros
        WHEN micros < 10000 THEN (micros + 5) / 10 * 10
        WHEN micros < 100000 THEN (micros + 50) / 100 * 100
        WHEN micros < 1000000 THEN (micros + 500) / 1000 * 1000
        WHEN micros < 10000000 THEN (micros + 5000) / 10000 * 10000
        WHEN micros < 100000000 THEN (micros + 50000) / 100000 * 100000
        ELSE least((micros + 500000) / 1000000 * 1000000, 2000000000)
    END::integer
$$;


--
-- Name: FUNCTION three_digits(micros bigint); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.three_digits(micros bigint) IS 'A time in microseconds, rounded to three significant digits.';


--
-- Name: uptime_hours(uuid, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.uptime_hours(domain uuid, since timestamp with time zone, until timestamp with time zone) RETURNS TABLE(starts_at timestamp with time zone, region text, counts bigint[], least_us bigint, most_us bigint, samples bigint[], micros bigint[], response integer[], dns integer[], connect integer[], tls integer[], ttfb integer[], download integer[])
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT
        timed.starts_at,
        timed.region,
        ARRAY[
            count(*),
            count(*) FILTER (WHERE timed.outcome = 'up'),
            count(*) FILTER (WHERE timed.outcome = 'down'),
            count(*) FILTER (WHERE timed.outcome = 'degraded')
        ],
        min(timed.response),
        max(timed.response),
        ARRAY[
            count(timed.response), count(timed.dns), count(timed.connect), count(timed.tls), count(timed.ttfb),
            count(timed.download)
        ],
        ARRAY[
            coalesce(sum(timed.response), 0), coalesce(sum(timed.dns), 0), coalesce(sum(timed.connect), 0),
            coalesce(sum(timed.tls), 0), coalesce(sum(timed.ttfb), 0), coalesce(sum(timed.download), 0)
        ]::bigint[],
        array_agg(three_digits(timed.response)) FILTER (WHERE timed.response IS NOT NULL),
        array_agg(three_digits(timed.dns)) FILTER (WHERE timed.dns IS NOT NULL),
        array_agg(three_digits(timed.connect)) FILTER (WHERE timed.connect IS NOT NULL),
        array_agg(three_digits(timed.tls)) FILTER (WHERE timed.tls IS NOT NULL),
        array_agg(three_digits(timed.ttfb)) FILTER (WHERE timed.ttfb IS NOT NULL),
        array_agg(three_digits(timed.download)) FILTER (WHERE timed.download IS NOT NULL)
    FROM (
        SELECT
            date_trunc('hour', c.checked_at, 'UTC') AS starts_at,
            c.region,
            c.outcome,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.response_ms * 1000)::bigint END AS response,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.dns_ms * 1000)::bigint END AS dns,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.connect_ms * 1000)::bigint END AS connect,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.tls_ms * 1000)::bigint END AS tls,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.ttfb_ms * 1000)::bigint END AS ttfb,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.download_ms * 1000)::bigint END AS download
        FROM uptime_checks AS c
        WHERE c.domain_id = domain AND c.checked_at >= since AND c.checked_at < until
        OFFSET 0 -- Worked out once for each check, not wherever it is used.
    ) AS timed
    GROUP BY 1, 2
$$;


--
-- Name: FUNCTION uptime_hours(domain uuid, since timestamp with time zone, until timestamp with time zone); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.uptime_hours(domain uuid, since timestamp with time zone, until timestamp with time zone) IS 'What the checks of a domain between two moments come to, by hour (UTC) and region: the columns of uptime_rollups, and each time of the checks that passed in microseconds, rounded to three significant digits, in no order.';


--
-- Name: uuid_v7(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.uuid_v7() RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    AS $$
    -- A random UUID of version 4 (0100), with the milliseconds in its first 48 bits, and version 7 (0111).
    SELECT encode(
        set_bit(
            set_bit(
                overlay(
                    uuid_send(gen_random_uuid())
                    PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                    FROM 1 FOR 6
                ),
                52, 1
            ),
            53, 1
        ),
        'hex'
    )::uuid
$$;


--
-- Name: FUNCTION uuid_v7(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.uuid_v7() IS 'A UUID that sorts by the time that it was made at (RFC 9562, version 7). PostgreSQL has one of its own from 18 on.';


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: __diesel_schema_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.__diesel_schema_migrations (
    version character varying(50) NOT NULL,
    run_on timestamp without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);


--
-- Name: alert_channels; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_channels (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    domain_id uuid,
    name text NOT NULL,
    target jsonb NOT NULL,
    min_severity text NOT NULL,
    modules text[],
    quiet_hours text,
    off_reason text,
    failing_since timestamp with time zone,
    failure_told_at timestamp with time zone,
    next_send_at timestamp with time zone,
    unsubscribe_token uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT alert_channels_min_severity_check CHECK ((min_severity = ANY (ARRAY['info'::text, 'warning'::text, 'critical'::text]))),
    CONSTRAINT alert_channels_modules_check CHECK ((cardinality(modules) > 0)),
    CONSTRAINT alert_channels_name_check CHECK ((name <> ''::text)),
    CONSTRAINT alert_channels_off_reason_check CHECK ((off_reason <> ''::text))
);


--
-- Name: TABLE alert_channels; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_channels IS 'Where notifications of a workspace are delivered: mail, webhooks, chat services.';


--
-- Name: COLUMN alert_channels.domain_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.domain_id IS 'Only what is about this domain is delivered; null: all of the workspace.';


--
-- Name: COLUMN alert_channels.target; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.target IS 'The kind of the channel, its address, and the secrets that it takes.';


--
-- Name: COLUMN alert_channels.modules; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.modules IS 'Only what is about these modules is delivered; null: all.';


--
-- Name: COLUMN alert_channels.quiet_hours; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.quiet_hours IS 'When only what is critical is delivered, such as 22:00-07:00 Europe/Berlin. Null: never.';


--
-- Name: COLUMN alert_channels.off_reason; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.off_reason IS 'Why it is switched off, for people. Null: it is on.';


--
-- Name: COLUMN alert_channels.failing_since; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.failing_since IS 'The first of the failures since the last success. Null: none.';


--
-- Name: COLUMN alert_channels.failure_told_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.failure_told_at IS 'When a notification told of that.';


--
-- Name: COLUMN alert_channels.next_send_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.next_send_at IS 'What is to be sent before then waits: mails gather, and a receiver that failed is left alone.';


--
-- Name: COLUMN alert_channels.unsubscribe_token; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.unsubscribe_token IS 'Random; stands in the link by which a reader of its mails switches it off.';


--
-- Name: alert_deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_deliveries (
    id uuid NOT NULL,
    channel_id uuid NOT NULL,
    notification_id uuid,
    event text NOT NULL,
    state text NOT NULL,
    taken_until timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT alert_deliveries_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT alert_deliveries_check CHECK (((event = 'test'::text) = (notification_id IS NULL))),
    CONSTRAINT alert_deliveries_check1 CHECK (((state = 'queued'::text) = (ended_at IS NULL))),
    CONSTRAINT alert_deliveries_event_check CHECK ((event = ANY (ARRAY['raised'::text, 'resolved'::text, 'test'::text]))),
    CONSTRAINT alert_deliveries_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'dropped'::text])))
)
WITH (fillfactor='70');


--
-- Name: TABLE alert_deliveries; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_deliveries IS 'Each notification on its way to each channel. The job of the same id sends it. Kept as long as its notification.';


--
-- Name: COLUMN alert_deliveries.notification_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_deliveries.notification_id IS 'Null: a test.';


--
-- Name: COLUMN alert_deliveries.state; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_deliveries.state IS 'Dropped: there was no longer anything to send, or nowhere to send it to.';


--
-- Name: COLUMN alert_deliveries.taken_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_deliveries.taken_until IS 'Until then whoever took it sends it, alone or with others in one mail.';


--
-- Name: alert_evaluations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_evaluations (
    rule_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    next_evaluation_at timestamp with time zone,
    leased_until timestamp with time zone,
    state text DEFAULT 'ok'::text NOT NULL,
    last_value double precision,
    last_evaluated_at timestamp with time zone,
    last_fired_at timestamp with time zone,
    is_open boolean DEFAULT false NOT NULL,
    CONSTRAINT alert_evaluations_state_check CHECK ((state = ANY (ARRAY['ok'::text, 'firing'::text, 'no_data'::text])))
)
WITH (fillfactor='70');


--
-- Name: TABLE alert_evaluations; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_evaluations IS 'How each rule stands, and when it is evaluated next. Apart from the rules, since every evaluation writes it.';


--
-- Name: COLUMN alert_evaluations.next_evaluation_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_evaluations.next_evaluation_at IS 'Null: never, since the rule is disabled or its domain deleted.';


--
-- Name: COLUMN alert_evaluations.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_evaluations.leased_until IS 'Until then one worker alone has it. Null: nobody has.';


--
-- Name: COLUMN alert_evaluations.is_open; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_evaluations.is_open IS 'Whether alerts of it are open.';


--
-- Name: alert_history; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_history (
    id uuid NOT NULL,
    rule_id uuid,
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    notification_id uuid NOT NULL,
    module text NOT NULL,
    metric text NOT NULL,
    metric_label text NOT NULL,
    unit text NOT NULL,
    operator text NOT NULL,
    threshold double precision NOT NULL,
    comparison_window text,
    evaluation_window text NOT NULL,
    url text,
    form_factor text,
    search_type text,
    value double precision NOT NULL,
    baseline_value double precision,
    change_pct double precision,
    severity text NOT NULL,
    title text NOT NULL,
    message text NOT NULL,
    context jsonb NOT NULL,
    fired_at timestamp with time zone NOT NULL,
    resolved_at timestamp with time zone,
    end_reason text,
    CONSTRAINT alert_history_check CHECK ((fired_at <= resolved_at)),
    CONSTRAINT alert_history_check1 CHECK (((end_reason IS NULL) = (resolved_at IS NULL))),
    CONSTRAINT alert_history_end_reason_check CHECK ((end_reason = ANY (ARRAY['over'::text, 'rule_changed'::text, 'rule_disabled'::text, 'rule_deleted'::text, 'domain_deleted'::text])))
);


--
-- Name: TABLE alert_history; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_history IS 'Every alert: a rule that fired, with the figures of that moment. Kept 12 months.';


--
-- Name: COLUMN alert_history.rule_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_history.rule_id IS 'Null: the rule was deleted.';


--
-- Name: COLUMN alert_history.resolved_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_history.resolved_at IS 'Null: it is open.';


--
-- Name: COLUMN alert_history.end_reason; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_history.end_reason IS 'Why it is over. Null: it is open.';


--
-- Name: alert_pending_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_pending_events (
    number bigint NOT NULL,
    rule_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    context jsonb NOT NULL
);


--
-- Name: TABLE alert_pending_events; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_pending_events IS 'Events that a rule has not counted yet. The evaluation that counts them deletes them, so none is lost and none counts twice.';


--
-- Name: COLUMN alert_pending_events.rule_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_pending_events.rule_id IS 'No foreign key: whoever records an event waits for no change of a rule. Upkeep deletes those of rules that are gone.';


--
-- Name: alert_pending_events_number_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.alert_pending_events ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.alert_pending_events_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: alert_rules; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_rules (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    name text,
    module text NOT NULL,
    metric text NOT NULL,
    operator text NOT NULL,
    threshold double precision NOT NULL,
    comparison_window text,
    evaluation_window text NOT NULL,
    min_sample integer,
    url text,
    form_factor text,
    search_type text,
    severity text NOT NULL,
    enabled boolean NOT NULL,
    cooldown_minutes integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by uuid,
    CONSTRAINT alert_rules_comparison_window_check CHECK ((comparison_window = ANY (ARRAY['previous_day'::text, 'same_day_last_week'::text, 'previous_7_days'::text, 'previous_28_days'::text]))),
    CONSTRAINT alert_rules_cooldown_minutes_check CHECK ((cooldown_minutes >= 0)),
    CONSTRAINT alert_rules_evaluation_window_check CHECK ((evaluation_window = ANY (ARRAY['latest'::text, '1h'::text, '24h'::text, '7d'::text, '28d'::text]))),
    CONSTRAINT alert_rules_form_factor_check CHECK ((form_factor = ANY (ARRAY['mobile'::text, 'desktop'::text]))),
    CONSTRAINT alert_rules_metric_check CHECK ((metric <> ''::text)),
    CONSTRAINT alert_rules_min_sample_check CHECK ((min_sample > 0)),
    CONSTRAINT alert_rules_module_check CHECK ((module <> ''::text)),
    CONSTRAINT alert_rules_operator_check CHECK ((operator = ANY (ARRAY['gt'::text, 'gte'::text, 'lt'::text, 'lte'::text, 'eq'::text, 'pct_decrease'::text, 'pct_increase'::text, 'anomaly'::text]))),
    CONSTRAINT alert_rules_search_type_check CHECK ((search_type = ANY (ARRAY['web'::text, 'image'::text, 'video'::text, 'news'::text, 'discover'::text, 'google_news'::text]))),
    CONSTRAINT alert_rules_severity_check CHECK ((severity = ANY (ARRAY['info'::text, 'warning'::text, 'critical'::text]))),
    CONSTRAINT alert_rules_threshold_check CHECK (((threshold >= ('-1000000000000000'::numeric)::double precision) AND (threshold <= ('1000000000000000'::numeric)::double precision)))
);


--
-- Name: TABLE alert_rules; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_rules IS 'The rules of domains: which metric must not do what.';


--
-- Name: COLUMN alert_rules.workspace_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_rules.workspace_id IS 'The domain''s, which never changes.';


--
-- Name: COLUMN alert_rules.module; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_rules.module IS 'Whose metric it is. Modules come with the versions of Pharos, so no CHECK on which.';


--
-- Name: COLUMN alert_rules.threshold; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_rules.threshold IS 'A value, a percentage or deviations, by the operator.';


--
-- Name: COLUMN alert_rules.created_by; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_rules.created_by IS 'Null: Pharos itself.';


--
-- Name: alert_wakes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_wakes (
    number bigint NOT NULL,
    domain_id uuid NOT NULL
);


--
-- Name: TABLE alert_wakes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_wakes IS 'Domains whose rules are to be evaluated at once. Whoever claims rules takes them away.';


--
-- Name: alert_wakes_number_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.alert_wakes ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.alert_wakes_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: api_key_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_key_secrets (
    digest bytea NOT NULL,
    key_id uuid NOT NULL,
    shown text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    valid_until timestamp with time zone,
    CONSTRAINT api_key_secrets_digest_check CHECK ((octet_length(digest) = 32)),
    CONSTRAINT api_key_secrets_shown_check CHECK ((length(shown) <= 16))
);


--
-- Name: TABLE api_key_secrets; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.api_key_secrets IS 'The secrets of keys: the newest, and those that a rotation left their grace.';


--
-- Name: COLUMN api_key_secrets.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_key_secrets.digest IS 'SHA-256 of the secret, which itself is stored nowhere.';


--
-- Name: COLUMN api_key_secrets.shown; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_key_secrets.shown IS 'The first 16 characters, for lists.';


--
-- Name: COLUMN api_key_secrets.valid_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_key_secrets.valid_until IS 'The end of its grace; null: the present secret.';


--
-- Name: api_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    created_by uuid NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    allowlist text[],
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    CONSTRAINT api_keys_allowlist_check CHECK ((array_position(allowlist, NULL::text) IS NULL)),
    CONSTRAINT api_keys_name_check CHECK ((name <> ''::text)),
    CONSTRAINT api_keys_scopes_check CHECK (((cardinality(scopes) > 0) AND (array_position(scopes, NULL::text) IS NULL)))
)
WITH (fillfactor='80');


--
-- Name: TABLE api_keys; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.api_keys IS 'API keys. What they authenticate with lies in api_key_secrets.';


--
-- Name: COLUMN api_keys.created_by; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_keys.created_by IS 'The user whose role in the workspace bounds the key.';


--
-- Name: COLUMN api_keys.scopes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_keys.scopes IS 'What the key may do, as granted.';


--
-- Name: COLUMN api_keys.allowlist; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_keys.allowlist IS 'Addresses and ranges that it may be used from; null: anywhere.';


--
-- Name: COLUMN api_keys.expires_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_keys.expires_at IS 'When it ends; null: never.';


--
-- Name: COLUMN api_keys.last_used_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_keys.last_used_at IS 'Written at most once a minute.';


--
-- Name: audit_log; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_log (
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
);


--
-- Name: TABLE audit_log; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.audit_log IS 'Who changed what outside the public API. Only ever added to.';


--
-- Name: COLUMN audit_log.actor; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.audit_log.actor IS 'cli:<account>, user:<id>, client:<id> or system.';


--
-- Name: COLUMN audit_log.action; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.audit_log.action IS 'Noun and verb, such as key.rotate.';


--
-- Name: COLUMN audit_log.subject_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.audit_log.subject_id IS 'The id, key or name of what was changed.';


--
-- Name: COLUMN audit_log.details; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.audit_log.details IS 'What it was changed to. Never a secret, nor the digest of one.';


--
-- Name: credit_balances; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.credit_balances (
    workspace_id uuid NOT NULL,
    cycle_start timestamp with time zone NOT NULL,
    cycle_end timestamp with time zone NOT NULL,
    used bigint DEFAULT 0 NOT NULL,
    granted bigint NOT NULL,
    capped_members integer DEFAULT 0 NOT NULL,
    CONSTRAINT credit_balances_check CHECK ((cycle_start < cycle_end)),
    CONSTRAINT credit_balances_used_check CHECK ((used >= 0))
)
WITH (fillfactor='50');


--
-- Name: TABLE credit_balances; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.credit_balances IS 'What each workspace is granted and used of its credits. Whoever charges locks the row first, several in the order of their ids.';


--
-- Name: COLUMN credit_balances.cycle_start; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_balances.cycle_start IS 'The cycle that the last charge fell into.';


--
-- Name: COLUMN credit_balances.cycle_end; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_balances.cycle_end IS 'Once this is reached, the next charge begins a new cycle; until then nothing is written.';


--
-- Name: COLUMN credit_balances.used; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_balances.used IS 'The sum of the cycle''s rows in credit_log.';


--
-- Name: COLUMN credit_balances.granted; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_balances.granted IS 'The credits_per_cycle of the workspace''s plan. Triggers keep it so.';


--
-- Name: COLUMN credit_balances.capped_members; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_balances.capped_members IS 'How many of the workspace''s members have a cap. Triggers count. With none, a charge needs no look at its user.';


--
-- Name: credit_log; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.credit_log (
    workspace_id uuid NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    request_id uuid NOT NULL,
    credential_id uuid NOT NULL,
    domain_id uuid,
    operation text NOT NULL,
    status smallint NOT NULL,
    cost integer NOT NULL,
    cache text NOT NULL
)
PARTITION BY RANGE (occurred_at);


--
-- Name: TABLE credit_log; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.credit_log IS 'Every request of a known credential, with its price; kept for 90 days. The primary key, read backwards, serves lists that begin with the newest. No foreign keys and no CHECKs: they would cost more than the row.';


--
-- Name: COLUMN credit_log.occurred_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_log.occurred_at IS 'When it was answered. A charge that came after its cycle was closed has the first moment of the next.';


--
-- Name: COLUMN credit_log.domain_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_log.domain_id IS 'The domain of the path; null where it has none in reach.';


--
-- Name: COLUMN credit_log.operation; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_log.operation IS 'The id of the operation. Operations come with the versions of Pharos, so no CHECK.';


--
-- Name: COLUMN credit_log.cost; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_log.cost IS 'What was charged; 0 for hits, refusals, replays and discovery.';


--
-- Name: COLUMN credit_log.cache; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_log.cache IS 'Where the answer came from: hit, miss or unavailable.';


--
-- Name: credit_log_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.credit_log_default (
    workspace_id uuid NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    request_id uuid NOT NULL,
    credential_id uuid NOT NULL,
    domain_id uuid,
    operation text NOT NULL,
    status smallint NOT NULL,
    cost integer NOT NULL,
    cache text NOT NULL
);


--
-- Name: TABLE credit_log_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.credit_log_default IS 'Rows of days that have no partition: a safety net, normally empty.';


--
-- Name: credit_member_usage; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.credit_member_usage (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    cycle_start timestamp with time zone NOT NULL,
    used bigint NOT NULL,
    CONSTRAINT credit_member_usage_used_check CHECK ((used >= 0))
)
WITH (fillfactor='50');


--
-- Name: TABLE credit_member_usage; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.credit_member_usage IS 'What the credentials of each user used of a workspace''s credits, capped or not. Guarded by the lock on the balance. No foreign keys: their locks could deadlock with whoever removes a member.';


--
-- Name: COLUMN credit_member_usage.cycle_start; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_member_usage.cycle_start IS 'The row counts only while this is the cycle of the balance.';


--
-- Name: domain_registrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.domain_registrations (
    name text NOT NULL,
    next_check_at timestamp with time zone NOT NULL,
    leased_until timestamp with time zone,
    asked_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    last_failure text,
    answer jsonb,
    answered_at timestamp with time zone,
    changes jsonb DEFAULT '[]'::jsonb NOT NULL,
    workspace_id uuid,
    CONSTRAINT domain_registrations_check CHECK (((answer IS NULL) = (answered_at IS NULL))),
    CONSTRAINT domain_registrations_failures_check CHECK ((failures >= 0)),
    CONSTRAINT domain_registrations_name_check CHECK ((name <> ''::text))
);


--
-- Name: TABLE domain_registrations; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.domain_registrations IS 'What is known of registered names. All domains below a name share its row. Of registrants nothing is kept.';


--
-- Name: COLUMN domain_registrations.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.leased_until IS 'Until then one node alone asks, and this moment is its claim; a node that dies loses it then. Null: nobody asks.';


--
-- Name: COLUMN domain_registrations.asked_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.asked_at IS 'When asking last ended, however it did; null: never.';


--
-- Name: COLUMN domain_registrations.failures; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.failures IS 'How often in a row asking failed.';


--
-- Name: COLUMN domain_registrations.last_failure; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.last_failure IS 'Why it failed last; null: it did not.';


--
-- Name: COLUMN domain_registrations.answer; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.answer IS 'What is kept of the last good answer; null: there was none, or there is no RDAP service.';


--
-- Name: COLUMN domain_registrations.answered_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.answered_at IS 'When that came.';


--
-- Name: COLUMN domain_registrations.changes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.changes IS 'What changed from answer to answer: the last 20, the newest first.';


--
-- Name: COLUMN domain_registrations.workspace_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.workspace_id IS 'Whose turn asking takes: the workspace whose domain brought the name first. Null: nobody''s.';


--
-- Name: domains; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.domains (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    hostname text NOT NULL,
    display_name text,
    verified boolean DEFAULT false NOT NULL,
    timezone_hint text,
    created_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT domains_hostname_check CHECK (((hostname = lower(hostname)) AND ((length(hostname) >= 1) AND (length(hostname) <= 253))))
);


--
-- Name: TABLE domains; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.domains IS 'The sites that a workspace has monitored. Deleted softly: their history stays.';


--
-- Name: COLUMN domains.hostname; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domains.hostname IS 'ASCII (IDNA), lower case, without a trailing dot.';


--
-- Name: COLUMN domains.verified; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domains.verified IS 'Whether its owner has shown that it is theirs.';


--
-- Name: COLUMN domains.timezone_hint; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domains.timezone_hint IS 'An IANA time zone, to be preferred when figures are shown.';


--
-- Name: COLUMN domains.deleted_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domains.deleted_at IS 'When it was deleted; while set, the API does not show it and nothing checks it.';


--
-- Name: idempotency_records; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_records (
    credential_id uuid NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    body bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT idempotency_records_fingerprint_check CHECK ((octet_length(fingerprint) = 32))
);


--
-- Name: TABLE idempotency_records; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.idempotency_records IS 'What was answered to requests with an Idempotency-Key, written in the transaction of their effect. Holds for 24 hours.';


--
-- Name: COLUMN idempotency_records.key; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.idempotency_records.key IS 'As the caller chose it; one namespace a credential.';


--
-- Name: COLUMN idempotency_records.fingerprint; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.idempotency_records.fingerprint IS 'SHA-256 over method, path and body: what tells a repeated request from another one.';


--
-- Name: COLUMN idempotency_records.body; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.idempotency_records.body IS 'The answer''s body, byte for byte.';


--
-- Name: jobs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.jobs (
    id uuid NOT NULL,
    kind text NOT NULL,
    lane text,
    payload jsonb NOT NULL,
    state text NOT NULL,
    run_at timestamp with time zone NOT NULL,
    leased_until timestamp with time zone,
    worker uuid,
    attempts integer NOT NULL,
    max_attempts integer NOT NULL,
    last_error text,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    workspace_id uuid,
    run_id uuid,
    started_at timestamp with time zone,
    error_code text,
    error_detail text,
    total_items integer,
    completed_items integer,
    failed_items integer,
    CONSTRAINT jobs_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT jobs_check CHECK (((state = 'running'::text) = (leased_until IS NOT NULL))),
    CONSTRAINT jobs_check1 CHECK (((state = 'running'::text) = (worker IS NOT NULL))),
    CONSTRAINT jobs_check2 CHECK (((state = ANY (ARRAY['succeeded'::text, 'dead'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT jobs_completed_items_check CHECK ((completed_items >= 0)),
    CONSTRAINT jobs_failed_items_check CHECK ((failed_items >= 0)),
    CONSTRAINT jobs_kind_check CHECK ((kind <> ''::text)),
    CONSTRAINT jobs_lane_check CHECK ((lane <> ''::text)),
    CONSTRAINT jobs_max_attempts_check CHECK ((max_attempts > 0)),
    CONSTRAINT jobs_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'dead'::text]))),
    CONSTRAINT jobs_total_items_check CHECK ((total_items >= 0))
)
WITH (fillfactor='70');


--
-- Name: TABLE jobs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.jobs IS 'Work that is done later. Written in the transaction that asks for it; kept 7 days once succeeded, 90 once dead, and as long as its run is open.';


--
-- Name: COLUMN jobs.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.kind IS 'Which handler does it. Kinds come with the versions of Pharos, so no CHECK.';


--
-- Name: COLUMN jobs.lane; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.lane IS 'The region that must do it; null: whoever comes first.';


--
-- Name: COLUMN jobs.payload; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.payload IS 'What to do. Never a secret: operators see it.';


--
-- Name: COLUMN jobs.run_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.run_at IS 'Not before.';


--
-- Name: COLUMN jobs.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.leased_until IS 'Until then its worker alone has it; one that dies loses it then.';


--
-- Name: COLUMN jobs.worker; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.worker IS 'The process that has it.';


--
-- Name: COLUMN jobs.attempts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.attempts IS 'The attempts that were made, the present one included.';


--
-- Name: COLUMN jobs.last_error; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.last_error IS 'Why the last attempt that failed did.';


--
-- Name: COLUMN jobs.workspace_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.workspace_id IS 'Whose it is; claims share the room among workspaces. Null: nobody''s.';


--
-- Name: COLUMN jobs.run_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.run_id IS 'The run that it belongs to. No foreign key: each is forgotten in its own time.';


--
-- Name: COLUMN jobs.started_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.started_at IS 'When its first attempt began.';


--
-- Name: COLUMN jobs.error_code; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.error_code IS 'What the caller of its run is told of the last attempt that failed: the suffix of a problem.';


--
-- Name: COLUMN jobs.error_detail; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.error_detail IS 'The same in words.';


--
-- Name: COLUMN jobs.total_items; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.total_items IS 'How many items of its run it does, as its handler noted; null: it has not, or has none.';


--
-- Name: COLUMN jobs.completed_items; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.completed_items IS 'How many of them are done.';


--
-- Name: COLUMN jobs.failed_items; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.failed_items IS 'How many of them failed.';


--
-- Name: members; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.members (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    credit_cap bigint,
    CONSTRAINT members_credit_cap_check CHECK ((credit_cap >= 0)),
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'admin'::text, 'owner'::text])))
);


--
-- Name: TABLE members; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.members IS 'Which users belong to which workspaces, and as what.';


--
-- Name: COLUMN members.credit_cap; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.members.credit_cap IS 'How many of the workspace''s credits the member''s credentials may use in a cycle, all together; null: no cap.';


--
-- Name: metric_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.metric_events (
    number bigint NOT NULL,
    domain_id uuid NOT NULL,
    module text NOT NULL,
    metric text NOT NULL,
    at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    context jsonb NOT NULL,
    CONSTRAINT metric_events_metric_check CHECK ((metric <> ''::text)),
    CONSTRAINT metric_events_module_check CHECK ((module <> ''::text))
);


--
-- Name: TABLE metric_events; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.metric_events IS 'What happened to sites that alert rules count, such as a certificate that changed, or that has them evaluated at once, such as an incident. Groups write it in the transaction of the change; alerting reads it. Kept 30 days.';


--
-- Name: COLUMN metric_events.metric; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.metric_events.metric IS 'The metric that counts it, or another name where it only has rules evaluated.';


--
-- Name: COLUMN metric_events.context; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.metric_events.context IS 'What an alert tells of it.';


--
-- Name: metric_events_number_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.metric_events ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.metric_events_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: notices; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notices (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    domain_id uuid,
    kind text NOT NULL,
    severity text NOT NULL,
    module text,
    title text NOT NULL,
    body text NOT NULL,
    data jsonb NOT NULL,
    resource_path text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT notices_kind_check CHECK ((kind = ANY (ARRAY['alert'::text, 'report_ready'::text, 'report_failed'::text, 'run_finished'::text, 'module_disconnected'::text, 'quota_warning'::text, 'subscription'::text, 'announcement'::text]))),
    CONSTRAINT notices_severity_check CHECK ((severity = ANY (ARRAY['info'::text, 'warning'::text, 'critical'::text])))
);


--
-- Name: TABLE notices; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.notices IS 'What people of a workspace should know. Whoever knows it writes it in the transaction of the change; a trigger of alerting makes notifications of it and takes it out again, so the table is empty.';


--
-- Name: COLUMN notices.workspace_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notices.workspace_id IS 'No foreign keys: a row is gone before its transaction is, and notifications have them.';


--
-- Name: COLUMN notices.domain_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notices.domain_id IS 'Null: it is about the workspace.';


--
-- Name: COLUMN notices.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notices.kind IS 'As notifications have it, except that alerts never come this way.';


--
-- Name: COLUMN notices.resource_path; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notices.resource_path IS 'The path of the API to look at next.';


--
-- Name: notification_read_marks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notification_read_marks (
    user_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    kind text NOT NULL,
    read_before timestamp with time zone NOT NULL,
    read_at timestamp with time zone NOT NULL,
    CONSTRAINT notification_read_marks_kind_check CHECK ((kind <> ''::text))
);


--
-- Name: TABLE notification_read_marks; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.notification_read_marks IS 'Up to where users have read the notifications of a kind about a domain at once. Kept as long as notifications before it.';


--
-- Name: COLUMN notification_read_marks.read_before; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notification_read_marks.read_before IS 'What was made before then is read, since read_at of the first mark after it, unless notification_reads has a row of it.';


--
-- Name: notification_reads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notification_reads (
    user_id uuid NOT NULL,
    notification_id uuid NOT NULL,
    read_at timestamp with time zone
);


--
-- Name: TABLE notification_reads; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.notification_reads IS 'Who has read what one by one. Without a row a notification is read if a mark lies after it, and else unread.';


--
-- Name: COLUMN notification_reads.read_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notification_reads.read_at IS 'Null: it is unread, whatever marks lie after it.';


--
-- Name: notifications; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notifications (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    domain_id uuid,
    kind text NOT NULL,
    severity text NOT NULL,
    module text,
    title text NOT NULL,
    body text NOT NULL,
    data jsonb NOT NULL,
    alert_id uuid,
    resource_path text,
    created_at timestamp with time zone NOT NULL,
    resolved_at timestamp with time zone,
    CONSTRAINT notifications_kind_check CHECK ((kind = ANY (ARRAY['alert'::text, 'report_ready'::text, 'report_failed'::text, 'run_finished'::text, 'module_disconnected'::text, 'quota_warning'::text, 'subscription'::text, 'announcement'::text]))),
    CONSTRAINT notifications_severity_check CHECK ((severity = ANY (ARRAY['info'::text, 'warning'::text, 'critical'::text])))
);


--
-- Name: TABLE notifications; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.notifications IS 'Everything that people of a workspace are told. Kept 12 months.';


--
-- Name: COLUMN notifications.domain_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notifications.domain_id IS 'Null: it is about the workspace.';


--
-- Name: COLUMN notifications.alert_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notifications.alert_id IS 'The alert that it tells of. No foreign key: each is forgotten in its own time.';


--
-- Name: COLUMN notifications.resource_path; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notifications.resource_path IS 'The path of the API to look at next.';


--
-- Name: oauth_clients; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_clients (
    id uuid NOT NULL,
    name text,
    redirect_uris text[] NOT NULL,
    auth_method text NOT NULL,
    secret_digest bytea,
    verified_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    granted_at timestamp with time zone,
    CONSTRAINT oauth_clients_auth_method_check CHECK ((auth_method = ANY (ARRAY['none'::text, 'client_secret_basic'::text, 'client_secret_post'::text]))),
    CONSTRAINT oauth_clients_check CHECK (((auth_method = 'none'::text) = (secret_digest IS NULL))),
    CONSTRAINT oauth_clients_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT oauth_clients_redirect_uris_check CHECK ((((cardinality(redirect_uris) >= 1) AND (cardinality(redirect_uris) <= 20)) AND (array_position(redirect_uris, NULL::text) IS NULL))),
    CONSTRAINT oauth_clients_secret_digest_check CHECK ((octet_length(secret_digest) = 32))
);


--
-- Name: TABLE oauth_clients; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.oauth_clients IS 'Apps. Anybody may register one; those that never get a grant are deleted.';


--
-- Name: COLUMN oauth_clients.name; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_clients.name IS 'As the app calls itself; null: it does not say.';


--
-- Name: COLUMN oauth_clients.redirect_uris; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_clients.redirect_uris IS 'Where users may be sent back to, matched by exact string.';


--
-- Name: COLUMN oauth_clients.secret_digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_clients.secret_digest IS 'SHA-256 of the secret, which itself is stored nowhere; null: a public client.';


--
-- Name: COLUMN oauth_clients.verified_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_clients.verified_at IS 'When an operator said that it is what it says; null: unverified.';


--
-- Name: COLUMN oauth_clients.granted_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_clients.granted_at IS 'When it first got a grant, which may have left since; null: never.';


--
-- Name: oauth_codes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_codes (
    digest bytea NOT NULL,
    client_id uuid NOT NULL,
    user_id uuid NOT NULL,
    redirect_uri text NOT NULL,
    resource text NOT NULL,
    scopes text[] NOT NULL,
    workspace_ids uuid[] NOT NULL,
    code_challenge text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    grant_id uuid,
    CONSTRAINT oauth_codes_digest_check CHECK ((octet_length(digest) = 32))
);


--
-- Name: TABLE oauth_codes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.oauth_codes IS 'Authorization codes of the last day.';


--
-- Name: COLUMN oauth_codes.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_codes.digest IS 'SHA-256 of the code, which itself is stored nowhere.';


--
-- Name: COLUMN oauth_codes.grant_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_codes.grant_id IS 'The grant that it became; null: not used yet.';


--
-- Name: oauth_decisions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_decisions (
    request_id uuid NOT NULL,
    lapses_at timestamp with time zone NOT NULL
);


--
-- Name: TABLE oauth_decisions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.oauth_decisions IS 'Authorization requests that a user decided on, so that none is decided twice.';


--
-- Name: COLUMN oauth_decisions.lapses_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_decisions.lapses_at IS 'When nobody can decide on it any more anyway.';


--
-- Name: oauth_grants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_grants (
    id uuid NOT NULL,
    client_id uuid NOT NULL,
    user_id uuid NOT NULL,
    resource text NOT NULL,
    scopes text[] NOT NULL,
    workspace_ids uuid[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    CONSTRAINT oauth_grants_scopes_check CHECK (((cardinality(scopes) > 0) AND (array_position(scopes, NULL::text) IS NULL))),
    CONSTRAINT oauth_grants_workspace_ids_check CHECK ((cardinality(workspace_ids) > 0))
)
WITH (fillfactor='80');


--
-- Name: TABLE oauth_grants; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.oauth_grants IS 'What users granted to apps. One whose refresh tokens are all over is deleted.';


--
-- Name: COLUMN oauth_grants.resource; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_grants.resource IS 'What its tokens are for; chosen at authorization, never again.';


--
-- Name: COLUMN oauth_grants.workspace_ids; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_grants.workspace_ids IS 'The workspaces that the user ticked, the default first. It reaches those of which the user still is a member.';


--
-- Name: COLUMN oauth_grants.last_used_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_grants.last_used_at IS 'Written at most once a minute.';


--
-- Name: oauth_refresh_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_refresh_tokens (
    digest bytea NOT NULL,
    grant_id uuid NOT NULL,
    issued_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    superseded_at timestamp with time zone,
    CONSTRAINT oauth_refresh_tokens_digest_check CHECK ((octet_length(digest) = 32))
)
WITH (fillfactor='90');


--
-- Name: TABLE oauth_refresh_tokens; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.oauth_refresh_tokens IS 'Refresh tokens, those that were superseded too: one that comes back revokes its grant.';


--
-- Name: COLUMN oauth_refresh_tokens.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_refresh_tokens.digest IS 'SHA-256 of the token, which itself is stored nowhere.';


--
-- Name: COLUMN oauth_refresh_tokens.superseded_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_refresh_tokens.superseded_at IS 'When the next took its place; null: good for one use.';


--
-- Name: oauth_signing_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_signing_keys (
    kid text NOT NULL,
    private_key bytea NOT NULL,
    signs_from timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT oauth_signing_keys_kid_check CHECK ((kid <> ''::text))
);


--
-- Name: TABLE oauth_signing_keys; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.oauth_signing_keys IS 'The keys that sign access tokens, shared by all nodes.';


--
-- Name: COLUMN oauth_signing_keys.kid; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_signing_keys.kid IS 'The thumbprint of the public half (RFC 7638).';


--
-- Name: COLUMN oauth_signing_keys.private_key; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_signing_keys.private_key IS 'P-256, PKCS #8.';


--
-- Name: COLUMN oauth_signing_keys.signs_from; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_signing_keys.signs_from IS 'Published at once, it signs from then on; a younger one takes over.';


--
-- Name: plan_quotas; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.plan_quotas (
    plan_key text NOT NULL,
    resource text NOT NULL,
    quota_limit bigint NOT NULL,
    CONSTRAINT plan_quotas_quota_limit_check CHECK ((quota_limit >= 0)),
    CONSTRAINT plan_quotas_resource_check CHECK ((resource = ANY (ARRAY['inspector_urls'::text, 'synthetic_runs'::text, 'tracked_urls_crux'::text, 'tracked_urls_synthetic'::text, 'monitored_urls_indexing'::text, 'report_templates'::text])))
);


--
-- Name: TABLE plan_quotas; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.plan_quotas IS 'How much a plan has of what credits do not replace. No row: without a limit.';


--
-- Name: plans; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.plans (
    key text NOT NULL,
    name text NOT NULL,
    credits_per_cycle bigint NOT NULL,
    modules text[] NOT NULL,
    CONSTRAINT plans_credits_per_cycle_check CHECK ((credits_per_cycle >= 0)),
    CONSTRAINT plans_key_check CHECK ((key ~ '^[a-z0-9-]{1,40}$'::text)),
    CONSTRAINT plans_modules_check CHECK (((array_position(modules, NULL::text) IS NULL) AND (modules <@ ARRAY['uptime'::text, 'rum'::text, 'crux'::text, 'synthetic'::text, 'gsc'::text, 'indexing'::text, 'robots'::text, 'sitemap'::text, 'analytics'::text, 'alerts'::text, 'notifications'::text, 'reports'::text]))),
    CONSTRAINT plans_name_check CHECK ((name <> ''::text))
);


--
-- Name: TABLE plans; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.plans IS 'What a workspace may use, and how much of it.';


--
-- Name: COLUMN plans.credits_per_cycle; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.plans.credits_per_cycle IS 'Credits that each monthly cycle begins with.';


--
-- Name: COLUMN plans.modules; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.plans.modules IS 'Modules of the plan; platform and credits belong to every plan and are not listed.';


--
-- Name: quota_usage; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.quota_usage (
    workspace_id uuid NOT NULL,
    resource text NOT NULL,
    period_start date NOT NULL,
    used bigint NOT NULL,
    CONSTRAINT quota_usage_check CHECK (
CASE resource
    WHEN 'inspector_urls'::text THEN (period_start > '1970-01-01'::date)
    WHEN 'synthetic_runs'::text THEN ((period_start > '1970-01-01'::date) AND (EXTRACT(day FROM period_start) = (1)::numeric))
    WHEN 'tracked_urls_crux'::text THEN (period_start = '1970-01-01'::date)
    WHEN 'tracked_urls_synthetic'::text THEN (period_start = '1970-01-01'::date)
    WHEN 'monitored_urls_indexing'::text THEN (period_start = '1970-01-01'::date)
    WHEN 'report_templates'::text THEN (period_start = '1970-01-01'::date)
    ELSE false
END),
    CONSTRAINT quota_usage_used_check CHECK ((used >= 0))
);


--
-- Name: TABLE quota_usage; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.quota_usage IS 'What workspaces used of their quotas. Whoever uses some counts it in the transaction of the effect.';


--
-- Name: COLUMN quota_usage.period_start; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.quota_usage.period_start IS 'The UTC day of inspector_urls, the first of the calendar month (UTC) of synthetic_runs. The others are stocks, whose one period began on 1970-01-01.';


--
-- Name: COLUMN quota_usage.used; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.quota_usage.used IS 'Of a stock what there is now; else what was used in the period.';


--
-- Name: regions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.regions (
    key text NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    name text,
    continent text,
    country text,
    CONSTRAINT regions_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT regions_key_check CHECK ((key <> ''::text))
);


--
-- Name: TABLE regions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.regions IS 'Where checks can run from. A worker registers its region when it starts.';


--
-- Name: COLUMN regions.name; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.regions.name IS 'What people call it; null: as its key.';


--
-- Name: COLUMN regions.continent; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.regions.continent IS 'Where it is; null: not said.';


--
-- Name: COLUMN regions.country; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.regions.country IS 'ISO 3166-1 alpha-2; null: not said.';


--
-- Name: runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.runs (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    result_seconds integer,
    expires_at timestamp with time zone,
    total_items integer,
    completed_items integer,
    failed_items integer,
    error_code text,
    error_detail text,
    requester_kind text NOT NULL,
    credential_id uuid NOT NULL,
    credits_charged integer NOT NULL,
    requested_items integer,
    CONSTRAINT runs_check CHECK (((status = ANY (ARRAY['queued'::text, 'running'::text])) = (finished_at IS NULL))),
    CONSTRAINT runs_check1 CHECK (((status <> 'running'::text) OR (started_at IS NOT NULL))),
    CONSTRAINT runs_check2 CHECK (((status <> 'expired'::text) OR (expires_at IS NOT NULL))),
    CONSTRAINT runs_completed_items_check CHECK ((completed_items >= 0)),
    CONSTRAINT runs_credits_charged_check CHECK ((credits_charged >= 0)),
    CONSTRAINT runs_failed_items_check CHECK ((failed_items >= 0)),
    CONSTRAINT runs_kind_check CHECK ((kind <> ''::text)),
    CONSTRAINT runs_requested_items_check CHECK ((requested_items >= 0)),
    CONSTRAINT runs_result_seconds_check CHECK ((result_seconds > 0)),
    CONSTRAINT runs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'partial'::text, 'failed'::text, 'canceled'::text, 'expired'::text]))),
    CONSTRAINT runs_total_items_check CHECK ((total_items >= 0))
)
WITH (fillfactor='70');


--
-- Name: TABLE runs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.runs IS 'What callers asked to be done, and how far it is. Written in the transaction that charges it, with its jobs; a trigger on jobs moves it on. Kept 12 months after its end.';


--
-- Name: COLUMN runs.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.kind IS 'What it does. Kinds come with the versions of Pharos, so no CHECK.';


--
-- Name: COLUMN runs.status; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.status IS 'All but queued and running are final, except that what has a result expires.';


--
-- Name: COLUMN runs.started_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.started_at IS 'When the first of its jobs began.';


--
-- Name: COLUMN runs.finished_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.finished_at IS 'When the last of its jobs was over, or it was canceled; no later than about 30 days after it was asked for.';


--
-- Name: COLUMN runs.result_seconds; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.result_seconds IS 'How long its result is kept once it is there; null: with the other data of its module.';


--
-- Name: COLUMN runs.expires_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.expires_at IS 'When its result is no longer kept.';


--
-- Name: COLUMN runs.total_items; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.total_items IS 'How many items it has: those that it was asked for with, or those of its jobs. Null: it has none.';


--
-- Name: COLUMN runs.error_code; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.error_code IS 'Why it failed, or a part of it: the suffix of a problem.';


--
-- Name: COLUMN runs.error_detail; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.error_detail IS 'The same in words, for the caller.';


--
-- Name: COLUMN runs.credential_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.credential_id IS 'Who asked for it. No foreign key: a run outlives its credential.';


--
-- Name: COLUMN runs.requested_items; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.requested_items IS 'How many items it was asked for with; null: its jobs find that out.';


--
-- Name: schema_functions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_functions (
    name text NOT NULL,
    digest bytea NOT NULL,
    CONSTRAINT schema_functions_digest_check CHECK ((octet_length(digest) = 32))
);


--
-- Name: TABLE schema_functions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.schema_functions IS 'The files of SQL functions and triggers that were applied. One whose text has another digest is applied anew.';


--
-- Name: COLUMN schema_functions.name; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.schema_functions.name IS 'The file''s name, without its ending.';


--
-- Name: COLUMN schema_functions.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.schema_functions.digest IS 'SHA-256 of the file.';


--
-- Name: sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sessions (
    digest bytea NOT NULL,
    user_id uuid NOT NULL,
    signed_in_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone NOT NULL,
    CONSTRAINT sessions_digest_check CHECK ((octet_length(digest) = 32))
)
WITH (fillfactor='80');


--
-- Name: TABLE sessions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sessions IS 'Users who have signed in.';


--
-- Name: COLUMN sessions.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sessions.digest IS 'SHA-256 of the cookie''s secret, which itself is stored nowhere.';


--
-- Name: COLUMN sessions.last_used_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sessions.last_used_at IS 'Written at most once a minute.';


--
-- Name: set_aside; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.set_aside (
    kind text NOT NULL,
    subject text NOT NULL,
    reason text NOT NULL,
    payload text,
    first_at timestamp with time zone DEFAULT now() NOT NULL,
    last_at timestamp with time zone DEFAULT now() NOT NULL,
    times bigint DEFAULT 1 NOT NULL,
    CONSTRAINT set_aside_kind_check CHECK ((kind <> ''::text))
);


--
-- Name: TABLE set_aside; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.set_aside IS 'What could not be stored or read, set aside so that all else goes on. One row for each thing, however often it happens; kept 30 days after the last time. `pharos doctor` shows it.';


--
-- Name: COLUMN set_aside.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.set_aside.kind IS 'The kind of thing. Kinds come with the versions of Pharos, so no CHECK.';


--
-- Name: COLUMN set_aside.subject; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.set_aside.subject IS 'The thing, or what it belongs to: its id; of a check the domain and the region.';


--
-- Name: COLUMN set_aside.reason; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.set_aside.reason IS 'Why, the last time.';


--
-- Name: COLUMN set_aside.payload; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.set_aside.payload IS 'The beginning of what could not be stored, the last time. Null: it could not be read, and lies where it was.';


--
-- Name: COLUMN set_aside.times; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.set_aside.times IS 'How often.';


--
-- Name: shared_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.shared_secrets (
    name text NOT NULL,
    value bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT shared_secrets_name_check CHECK ((name <> ''::text)),
    CONSTRAINT shared_secrets_value_check CHECK ((octet_length(value) = 32))
);


--
-- Name: TABLE shared_secrets; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.shared_secrets IS 'Random secrets that all nodes of an installation share, made by the first that asks.';


--
-- Name: COLUMN shared_secrets.name; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.shared_secrets.name IS 'What the secret is for.';


--
-- Name: COLUMN shared_secrets.value; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.shared_secrets.value IS '256 random bits.';


--
-- Name: sign_in_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_links (
    digest bytea NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT sign_in_links_digest_check CHECK ((octet_length(digest) = 32))
);


--
-- Name: TABLE sign_in_links; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sign_in_links IS 'Links by which users set a password: one a user, for one use.';


--
-- Name: COLUMN sign_in_links.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sign_in_links.digest IS 'SHA-256 of the link''s secret, which itself is stored nowhere.';


--
-- Name: switches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.switches (
    name text NOT NULL,
    thrown_at timestamp with time zone NOT NULL,
    CONSTRAINT switches_name_check CHECK ((name = ANY (ARRAY['api-disabled'::text, 'read-only-mode'::text])))
);


--
-- Name: TABLE switches; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.switches IS 'The switches that are thrown; one that is not has no row.';


--
-- Name: uptime_certificate_history; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_certificate_history (
    domain_id uuid NOT NULL,
    fingerprint text NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    replaced_at timestamp with time zone,
    issuer_common_name text,
    valid_from timestamp with time zone NOT NULL,
    valid_until timestamp with time zone NOT NULL,
    names_count integer NOT NULL,
    CONSTRAINT uptime_certificate_history_check CHECK ((first_seen_at <= last_seen_at)),
    CONSTRAINT uptime_certificate_history_fingerprint_check CHECK ((fingerprint ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT uptime_certificate_history_names_count_check CHECK ((names_count >= 0))
)
WITH (fillfactor='70');


--
-- Name: TABLE uptime_certificate_history; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_certificate_history IS 'The certificates that a site has presented: the 50 that were seen last.';


--
-- Name: COLUMN uptime_certificate_history.fingerprint; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificate_history.fingerprint IS 'SHA-256 of the certificate, hex.';


--
-- Name: COLUMN uptime_certificate_history.last_seen_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificate_history.last_seen_at IS 'The last check that saw it, to within an hour.';


--
-- Name: COLUMN uptime_certificate_history.replaced_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificate_history.replaced_at IS 'The check that first saw another in its place; null: it is the present one.';


--
-- Name: COLUMN uptime_certificate_history.names_count; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificate_history.names_count IS 'How many DNS names and addresses it is for.';


--
-- Name: uptime_certificates; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_certificates (
    domain_id uuid NOT NULL,
    digest bytea NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    sighting jsonb NOT NULL,
    CONSTRAINT uptime_certificates_digest_check CHECK ((octet_length(digest) = 32))
)
WITH (fillfactor='70');


--
-- Name: TABLE uptime_certificates; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_certificates IS 'What the last check saw of a site''s TLS. No row before the first check.';


--
-- Name: COLUMN uptime_certificates.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificates.digest IS 'SHA-256 of the sighting: whether a check saw the same is told by it alone.';


--
-- Name: COLUMN uptime_certificates.checked_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificates.checked_at IS 'A check that saw it; written on a change, and anew once it is an hour old.';


--
-- Name: COLUMN uptime_certificates.sighting; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificates.sighting IS 'Host, certificate, chain, session and HSTS.';


--
-- Name: uptime_checks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_checks (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    region text NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    run_id uuid,
    status_code integer,
    http_version text,
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
    CONSTRAINT uptime_checks_http_version_check CHECK ((http_version = ANY (ARRAY['1.0'::text, '1.1'::text, '2'::text]))),
    CONSTRAINT uptime_checks_outcome_check CHECK ((outcome = ANY (ARRAY['up'::text, 'down'::text, 'degraded'::text, 'maintenance'::text, 'blocked'::text])))
)
PARTITION BY RANGE (checked_at);


--
-- Name: TABLE uptime_checks; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_checks IS 'Every check of a site. The primary key, read backwards, serves lists that begin with the newest.';


--
-- Name: COLUMN uptime_checks.run_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_checks.run_id IS 'The run that asked for it; null: the schedule.';


--
-- Name: COLUMN uptime_checks.response_ms; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_checks.response_ms IS 'All of it in milliseconds; the columns after it are its parts. Null: not measured.';


--
-- Name: COLUMN uptime_checks.response_bytes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_checks.response_bytes IS 'The size of the body as sent.';


--
-- Name: COLUMN uptime_checks.error_class; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_checks.error_class IS 'Why it failed, from a closed list that grows with the prober; so no CHECK.';


--
-- Name: COLUMN uptime_checks.keyword_matched; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_checks.keyword_matched IS 'Whether the keyword was found; null without a rule.';


--
-- Name: COLUMN uptime_checks.retry_index; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_checks.retry_index IS '0 for the first attempt.';


--
-- Name: uptime_checks_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_checks_default (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    region text NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    run_id uuid,
    status_code integer,
    http_version text,
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
    CONSTRAINT uptime_checks_http_version_check CHECK ((http_version = ANY (ARRAY['1.0'::text, '1.1'::text, '2'::text]))),
    CONSTRAINT uptime_checks_outcome_check CHECK ((outcome = ANY (ARRAY['up'::text, 'down'::text, 'degraded'::text, 'maintenance'::text, 'blocked'::text])))
);


--
-- Name: TABLE uptime_checks_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_checks_default IS 'Checks of months that have no partition: a safety net, normally empty.';


--
-- Name: uptime_distributions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_distributions (
    domain_id uuid NOT NULL,
    grain text NOT NULL,
    measure text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    region text NOT NULL,
    times bytea NOT NULL,
    CONSTRAINT uptime_distributions_grain_check CHECK ((grain = ANY (ARRAY['hour'::text, 'day'::text, 'month'::text, 'quarter'::text]))),
    CONSTRAINT uptime_distributions_measure_check CHECK ((measure = ANY (ARRAY['response'::text, 'dns'::text, 'connect'::text, 'tls'::text, 'ttfb'::text, 'download'::text])))
);
ALTER TABLE ONLY public.uptime_distributions ALTER COLUMN times SET STORAGE EXTERNAL;


--
-- Name: TABLE uptime_distributions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_distributions IS 'How often which time was measured, for percentiles. Of hours there is the response alone.';


--
-- Name: COLUMN uptime_distributions.times; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_distributions.times IS 'Times in microseconds of three significant digits, ascending, each once with its count: a sequence of pairs of numbers in the format of postcard, the first of each the step from the time before. It hardly compresses.';


--
-- Name: uptime_incident_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_incident_events (
    incident_id uuid NOT NULL,
    number bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    event text NOT NULL,
    region text,
    detail text,
    CONSTRAINT uptime_incident_events_event_check CHECK ((event = ANY (ARRAY['first_failure'::text, 'confirmed'::text, 'region_added'::text, 'region_recovered'::text, 'recovered'::text])))
);


--
-- Name: TABLE uptime_incident_events; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_incident_events IS 'The course of each incident.';


--
-- Name: COLUMN uptime_incident_events.number; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incident_events.number IS 'The order in which it was learned.';


--
-- Name: COLUMN uptime_incident_events.region; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incident_events.region IS 'Where it was seen. Those of first_failure and region_added are the regions affected.';


--
-- Name: uptime_incident_events_number_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.uptime_incident_events ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.uptime_incident_events_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: uptime_incidents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_incidents (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone NOT NULL,
    resolved_at timestamp with time zone,
    class text NOT NULL,
    severity text NOT NULL,
    status_code integer,
    error_message text,
    resolved_ip inet,
    response_headers jsonb NOT NULL,
    checks_failed integer NOT NULL,
    during_maintenance boolean NOT NULL,
    CONSTRAINT uptime_incidents_check CHECK ((started_at <= confirmed_at)),
    CONSTRAINT uptime_incidents_check1 CHECK ((confirmed_at <= resolved_at)),
    CONSTRAINT uptime_incidents_checks_failed_check CHECK ((checks_failed >= 0)),
    CONSTRAINT uptime_incidents_severity_check CHECK ((severity = ANY (ARRAY['outage'::text, 'degraded'::text])))
);


--
-- Name: TABLE uptime_incidents; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_incidents IS 'Outages: while more than half of the regions see the site down. At most one is open for a domain.';


--
-- Name: COLUMN uptime_incidents.started_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.started_at IS 'The first failing check of the region that made it an outage.';


--
-- Name: COLUMN uptime_incidents.confirmed_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.confirmed_at IS 'The check that confirmed it.';


--
-- Name: COLUMN uptime_incidents.resolved_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.resolved_at IS 'The first passing check of those that ended it; null: still open.';


--
-- Name: COLUMN uptime_incidents.class; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.class IS 'Of the first failing check. A list that grows with the prober; so no CHECK.';


--
-- Name: COLUMN uptime_incidents.severity; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.severity IS 'degraded: the site refused the prober alone, which is no downtime.';


--
-- Name: COLUMN uptime_incidents.status_code; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.status_code IS 'Of the first failing check.';


--
-- Name: COLUMN uptime_incidents.error_message; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.error_message IS 'Of the first failing check.';


--
-- Name: COLUMN uptime_incidents.resolved_ip; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.resolved_ip IS 'The address that the first failing check connected to.';


--
-- Name: COLUMN uptime_incidents.response_headers; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.response_headers IS 'Of the first failing answer, those that tell who answered.';


--
-- Name: COLUMN uptime_incidents.checks_failed; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.checks_failed IS 'In its course, those before its confirmation included.';


--
-- Name: COLUMN uptime_incidents.during_maintenance; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.during_maintenance IS 'Whether a check failed within a maintenance window meanwhile.';


--
-- Name: uptime_monitors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_monitors (
    domain_id uuid NOT NULL,
    settings jsonb NOT NULL,
    enabled boolean GENERATED ALWAYS AS (((settings -> 'enabled'::text))::boolean) STORED NOT NULL,
    interval_seconds integer GENERATED ALWAYS AS (((settings -> 'interval_seconds'::text))::integer) STORED NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    updated_by uuid,
    registrable_domain text,
    CONSTRAINT uptime_monitors_interval_seconds_check CHECK ((interval_seconds > 0))
);


--
-- Name: TABLE uptime_monitors; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_monitors IS 'The uptime monitor of a domain.';


--
-- Name: COLUMN uptime_monitors.settings; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_monitors.settings IS 'All settings. The headers among them may hold credentials of the site.';


--
-- Name: COLUMN uptime_monitors.enabled; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_monitors.enabled IS 'Read out of the settings.';


--
-- Name: COLUMN uptime_monitors.interval_seconds; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_monitors.interval_seconds IS 'Read out of the settings.';


--
-- Name: COLUMN uptime_monitors.updated_by; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_monitors.updated_by IS 'Who changed the settings last; null: Pharos itself.';


--
-- Name: COLUMN uptime_monitors.registrable_domain; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_monitors.registrable_domain IS 'The registered name that the domain lies below, by the public suffix list; null: not found out yet.';


--
-- Name: uptime_region_states; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_region_states (
    domain_id uuid NOT NULL,
    region text NOT NULL,
    state jsonb NOT NULL
)
WITH (fillfactor='70');


--
-- Name: TABLE uptime_region_states; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_region_states IS 'What each region knows of a site after its last check.';


--
-- Name: COLUMN uptime_region_states.state; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_region_states.state IS 'Counters, last outcome, since when; changed by each check.';


--
-- Name: uptime_rollup_progress; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_rollup_progress (
    domain_id uuid NOT NULL,
    rolled_until timestamp with time zone
);


--
-- Name: TABLE uptime_rollup_progress; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_rollup_progress IS 'How far each domain is rolled up. Its row is locked by whoever rolls up, and by whoever stores a check of an earlier day.';


--
-- Name: COLUMN uptime_rollup_progress.rolled_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollup_progress.rolled_until IS 'The beginning of a UTC day: everything before it is rolled up, nothing after it is read from roll-ups. Null: nothing is.';


--
-- Name: uptime_rollups; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_rollups (
    domain_id uuid NOT NULL,
    grain text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    region text NOT NULL,
    counts bigint[] NOT NULL,
    least_us bigint,
    most_us bigint,
    samples bigint[] NOT NULL,
    micros bigint[] NOT NULL,
    CONSTRAINT uptime_rollups_counts_check CHECK ((cardinality(counts) = 4)),
    CONSTRAINT uptime_rollups_grain_check CHECK ((grain = ANY (ARRAY['hour'::text, 'day'::text, 'month'::text, 'quarter'::text]))),
    CONSTRAINT uptime_rollups_micros_check CHECK ((cardinality(micros) = 6)),
    CONSTRAINT uptime_rollups_samples_check CHECK ((cardinality(samples) = 6))
);


--
-- Name: TABLE uptime_rollups; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_rollups IS 'What the checks of each hour, day, month and quarter of a year come to, seen from one region. Of checks that passed also the times.';


--
-- Name: COLUMN uptime_rollups.grain; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.grain IS 'A month or quarter has a row once all of it is rolled up.';


--
-- Name: COLUMN uptime_rollups.starts_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.starts_at IS 'When the hour, day, month or quarter begins, UTC.';


--
-- Name: COLUMN uptime_rollups.counts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.counts IS 'How many checks there were, and how many of them were up, down and degraded.';


--
-- Name: COLUMN uptime_rollups.least_us; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.least_us IS 'The fastest answer in microseconds; null without any.';


--
-- Name: COLUMN uptime_rollups.most_us; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.most_us IS 'The slowest.';


--
-- Name: COLUMN uptime_rollups.samples; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.samples IS 'How many answers were timed, and their phases: response, dns, connect, tls, ttfb, download.';


--
-- Name: COLUMN uptime_rollups.micros; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.micros IS 'The sums of their times in microseconds, in the same order.';


--
-- Name: uptime_schedules; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_schedules (
    domain_id uuid NOT NULL,
    region text NOT NULL,
    next_check_at timestamp with time zone NOT NULL,
    leased_until timestamp with time zone,
    workspace_id uuid NOT NULL
)
WITH (fillfactor='70');


--
-- Name: TABLE uptime_schedules; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_schedules IS 'When each region checks a site next. Only enabled monitors of domains that are not deleted have rows.';


--
-- Name: COLUMN uptime_schedules.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_schedules.leased_until IS 'Until then one worker alone has the check; a worker that dies loses it then. Null: nobody has.';


--
-- Name: COLUMN uptime_schedules.workspace_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_schedules.workspace_id IS 'The domain''s, which never changes; a trigger reads it. Claims share what is due among workspaces.';


--
-- Name: uptime_spans; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_spans (
    domain_id uuid NOT NULL,
    region text NOT NULL,
    state text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    CONSTRAINT uptime_spans_check CHECK ((started_at < ended_at)),
    CONSTRAINT uptime_spans_state_check CHECK ((state = ANY (ARRAY['up'::text, 'suspect'::text, 'pending'::text, 'down'::text, 'maintenance'::text, 'blocked'::text, 'paused'::text])))
)
WITH (fillfactor='90');


--
-- Name: TABLE uptime_spans; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_spans IS 'Time in one state, seen from one region. Spans of a region never overlap; neighbours of one state are one span.';


--
-- Name: COLUMN uptime_spans.state; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_spans.state IS 'suspect and pending become down when the outage is confirmed. Until then suspect counts as up, and pending, which is suspect before the site was seen up, as neither.';


--
-- Name: user_passwords; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.user_passwords (
    user_id uuid NOT NULL,
    hash text NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT user_passwords_hash_check CHECK ((hash ~~ '$argon2id$%'::text))
);


--
-- Name: TABLE user_passwords; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.user_passwords IS 'Passwords of users. Whoever has none can''t sign in to the console.';


--
-- Name: COLUMN user_passwords.hash; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.user_passwords.hash IS 'argon2id in PHC format, with its parameters and salt.';


--
-- Name: users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT users_email_check CHECK ((email <> ''::text)),
    CONSTRAINT users_name_check CHECK ((name <> ''::text))
);


--
-- Name: TABLE users; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.users IS 'People.';


--
-- Name: COLUMN users.email; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.users.email IS 'Unique whatever its case.';


--
-- Name: COLUMN users.disabled_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.users.disabled_at IS 'When the user was disabled; while set, their keys do not authenticate.';


--
-- Name: workspaces; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workspaces (
    id uuid NOT NULL,
    name text NOT NULL,
    plan_key text NOT NULL,
    subscription_status text DEFAULT 'active'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT workspaces_name_check CHECK ((name <> ''::text)),
    CONSTRAINT workspaces_subscription_status_check CHECK ((subscription_status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text, 'canceled'::text, 'expired'::text])))
);


--
-- Name: TABLE workspaces; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.workspaces IS 'Who owns domains and pays for calls.';


--
-- Name: COLUMN workspaces.created_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.workspaces.created_at IS 'The day of this is the anchor of the billing cycles.';


--
-- Name: credit_log_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credit_log ATTACH PARTITION public.credit_log_default DEFAULT;


--
-- Name: uptime_checks_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_checks ATTACH PARTITION public.uptime_checks_default DEFAULT;


--
-- Data for Name: __diesel_schema_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123060000', '2026-11-24 08:42:16.100806');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123060100', '2026-11-24 08:42:16.117052');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123060200', '2026-11-24 08:42:16.134765');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123060300', '2026-11-24 08:42:16.1527');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123093500', '2026-11-24 08:42:16.17279');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123100000', '2026-11-24 08:42:16.178926');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123110000', '2026-11-24 08:42:16.182413');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123120000', '2026-11-24 08:42:16.184822');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123130000', '2026-11-24 08:42:16.198089');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123130500', '2026-11-24 08:42:16.202708');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123131000', '2026-11-24 08:42:16.204068');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123140000', '2026-11-24 08:42:16.205377');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123150000', '2026-11-24 08:42:16.211081');


--
-- Data for Name: alert_channels; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_channels (id, workspace_id, domain_id, name, target, min_severity, modules, quiet_hours, off_reason, failing_since, failure_told_at, next_send_at, unsubscribe_token, created_at, updated_at) VALUES ('01900000-0000-7000-8000-000000000084', '01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000021', 'On call', '{"to": "on-call@ada.example", "kind": "email"}', 'warning', '{uptime}', '22:00-07:00 Europe/Berlin', NULL, '2026-01-04 09:00:00+00', NULL, '2026-01-04 09:05:00+00', '01900000-0000-4000-8000-000000000085', '2026-01-03 10:00:00+00', '2026-01-03 11:00:00+00');


--
-- Data for Name: alert_deliveries; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_deliveries (id, channel_id, notification_id, event, state, taken_until, attempts, last_error, created_at, ended_at) VALUES ('01900000-0000-7000-8000-000000000086', '01900000-0000-7000-8000-000000000084', '01900000-0000-7000-8000-000000000083', 'raised', 'sent', NULL, 2, 'the mail server answered 421', '2026-01-04 09:00:00+00', '2026-01-04 09:01:00+00');


--
-- Data for Name: alert_evaluations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_evaluations (rule_id, domain_id, workspace_id, next_evaluation_at, leased_until, state, last_value, last_evaluated_at, last_fired_at, is_open) VALUES ('01900000-0000-7000-8000-000000000081', '01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', '2026-01-04 10:01:00+00', '2026-01-04 10:02:00+00', 'firing', 240, '2026-01-04 10:00:00+00', '2026-01-04 09:00:00+00', true);


--
-- Data for Name: alert_history; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_history (id, rule_id, domain_id, workspace_id, notification_id, module, metric, metric_label, unit, operator, threshold, comparison_window, evaluation_window, url, form_factor, search_type, value, baseline_value, change_pct, severity, title, message, context, fired_at, resolved_at, end_reason) VALUES ('01900000-0000-7000-8000-000000000082', '01900000-0000-7000-8000-000000000081', '01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000083', 'uptime', 'response_ms', 'Response time', 'ms', 'pct_increase', 20, 'previous_day', '1h', NULL, NULL, NULL, 240, 200, 20, 'warning', 'ada.example: Response time is up 20 % to 240 ms', 'The response time over the last hour is 240 ms.', '{}', '2026-01-04 09:00:00+00', NULL, NULL);


--
-- Data for Name: alert_pending_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_pending_events (number, rule_id, at, context) OVERRIDING SYSTEM VALUE VALUES (1, '01900000-0000-7000-8000-000000000081', '2026-01-04 10:00:00+00', '{}');


--
-- Data for Name: alert_rules; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_rules (id, domain_id, workspace_id, name, module, metric, operator, threshold, comparison_window, evaluation_window, min_sample, url, form_factor, search_type, severity, enabled, cooldown_minutes, created_at, updated_at, created_by) VALUES ('01900000-0000-7000-8000-000000000081', '01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', 'Slow', 'uptime', 'response_ms', 'pct_increase', 20, 'previous_day', '1h', 10, NULL, NULL, NULL, 'warning', true, 120, '2026-01-03 10:00:00+00', '2026-01-03 11:00:00+00', '01900000-0000-7000-8000-000000000001');


--
-- Data for Name: alert_wakes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_wakes (number, domain_id) OVERRIDING SYSTEM VALUE VALUES (1, '01900000-0000-7000-8000-000000000021');
INSERT INTO public.alert_wakes (number, domain_id) OVERRIDING SYSTEM VALUE VALUES (2, '01900000-0000-7000-8000-000000000021');


--
-- Data for Name: api_key_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.api_key_secrets (digest, key_id, shown, created_at, valid_until) VALUES ('\x8fa3aab2faa9b79e0a0398da5b5abd0780142442a5be80b9a64608d718cb1fcd', '01900000-0000-7000-8000-000000000201', 'svc_dev_abcdefgh', '2026-01-02 12:00:00+00', NULL);


--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.api_keys (id, workspace_id, created_by, name, scopes, allowlist, created_at, expires_at, revoked_at, last_used_at) VALUES ('01900000-0000-7000-8000-000000000201', '01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000001', 'ci', '{read:uptime}', '{192.0.2.0/24}', '2026-01-02 12:00:00+00', NULL, NULL, '2026-01-04 09:00:00+00');


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit_log (id, at, actor, action, subject_kind, subject_id, details) VALUES ('01900000-0000-7000-8000-000000000101', '2026-01-30 10:00:00+00', 'cli:ada', 'switch.on', 'switch', 'read-only-mode', '{}');


--
-- Data for Name: credit_balances; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.credit_balances (workspace_id, cycle_start, cycle_end, used, granted, capped_members) VALUES ('01900000-0000-7000-8000-000000000011', '2026-01-02 00:00:00+00', '2026-02-02 00:00:00+00', 5, 1000000, 1);


--
-- Data for Name: credit_log_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.credit_log_default (workspace_id, occurred_at, request_id, credential_id, domain_id, operation, status, cost, cache) VALUES ('01900000-0000-7000-8000-000000000011', '2026-01-04 09:00:00+00', '01900000-0000-7000-8000-000000000111', '01900000-0000-7000-8000-000000000201', '01900000-0000-7000-8000-000000000021', 'listUptimeChecks', 200, 5, 'miss');


--
-- Data for Name: credit_member_usage; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.credit_member_usage (workspace_id, user_id, cycle_start, used) VALUES ('01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000001', '2026-01-02 00:00:00+00', 5);


--
-- Data for Name: domain_registrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.domain_registrations (name, next_check_at, leased_until, asked_at, failures, last_failure, answer, answered_at, changes, workspace_id) VALUES ('ada.example', '2026-01-05 10:00:00+00', NULL, '2026-01-04 10:00:00+00', 0, NULL, '{"registrar": "A registrar"}', '2026-01-04 10:00:00+00', '[]', NULL);


--
-- Data for Name: domains; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.domains (id, workspace_id, hostname, display_name, verified, timezone_hint, created_at, deleted_at) VALUES ('01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', 'ada.example', 'Ada', true, 'Europe/Vienna', '2026-01-02 11:00:00+00', NULL);
INSERT INTO public.domains (id, workspace_id, hostname, display_name, verified, timezone_hint, created_at, deleted_at) VALUES ('01900000-0000-7000-8000-000000000022', '01900000-0000-7000-8000-000000000011', 'gone.example', NULL, false, NULL, '2026-01-02 11:00:00+00', '2026-01-05 11:00:00+00');


--
-- Data for Name: idempotency_records; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.idempotency_records (credential_id, key, fingerprint, status, body, created_at) VALUES ('01900000-0000-7000-8000-000000000201', 'a key', '\xc66790da5943c4466dd80634deb63f4e19f07e7f81624f222b86fecf9fff6445', 202, '\x7b2264617461223a207b7d7d', '2026-01-04 09:00:00+00');


--
-- Data for Name: jobs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.jobs (id, kind, lane, payload, state, run_at, leased_until, worker, attempts, max_attempts, last_error, created_at, finished_at, workspace_id, run_id, started_at, error_code, error_detail, total_items, completed_items, failed_items) VALUES ('01900000-0000-7000-8000-000000000121', 'uptime.check', 'eu', '{"domain": "ada.example"}', 'queued', '2026-01-04 09:00:00+00', NULL, NULL, 0, 5, NULL, '2026-01-04 09:00:00+00', NULL, '01900000-0000-7000-8000-000000000011', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.jobs (id, kind, lane, payload, state, run_at, leased_until, worker, attempts, max_attempts, last_error, created_at, finished_at, workspace_id, run_id, started_at, error_code, error_detail, total_items, completed_items, failed_items) VALUES ('01900000-0000-7000-8000-000000000122', 'uptime.check', NULL, '{}', 'dead', '2026-01-04 09:00:00+00', NULL, NULL, 5, 5, 'no such domain', '2026-01-04 09:00:00+00', '2026-01-04 09:10:00+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: members; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.members (workspace_id, user_id, role, created_at, credit_cap) VALUES ('01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000001', 'owner', '2026-01-02 10:00:00+00', NULL);
INSERT INTO public.members (workspace_id, user_id, role, created_at, credit_cap) VALUES ('01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000002', 'viewer', '2026-01-03 10:00:00+00', 500);


--
-- Data for Name: metric_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.metric_events (number, domain_id, module, metric, at, recorded_at, context) OVERRIDING SYSTEM VALUE VALUES (1, '01900000-0000-7000-8000-000000000021', 'uptime', 'incident_changed', '2026-01-04 09:10:00+00', '2026-11-24 08:42:16.306391+00', '{"incident_id": "01900000-0000-7000-8000-000000000311"}');
INSERT INTO public.metric_events (number, domain_id, module, metric, at, recorded_at, context) OVERRIDING SYSTEM VALUE VALUES (2, '01900000-0000-7000-8000-000000000021', 'uptime', 'ssl_certificate_changed', '2026-01-04 10:00:00+00', '2026-01-04 10:00:01+00', '{"replaced_fingerprint": "ab"}');


--
-- Data for Name: notices; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: notification_read_marks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notification_read_marks (user_id, domain_id, kind, read_before, read_at) VALUES ('01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000021', 'alert', '2026-01-04 08:50:00+00', '2026-01-04 09:00:00+00');


--
-- Data for Name: notification_reads; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notification_reads (user_id, notification_id, read_at) VALUES ('01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000083', '2026-01-04 09:30:00+00');


--
-- Data for Name: notifications; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notifications (id, workspace_id, domain_id, kind, severity, module, title, body, data, alert_id, resource_path, created_at, resolved_at) VALUES ('01900000-0000-7000-8000-000000000083', '01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000021', 'alert', 'warning', 'uptime', 'ada.example: Response time is up 20 % to 240 ms', 'The response time over the last hour is 240 ms.', '{"value": 240}', '01900000-0000-7000-8000-000000000082', '/alerts/history/01900000-0000-7000-8000-000000000082', '2026-01-04 09:00:00+00', NULL);


--
-- Data for Name: oauth_clients; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_clients (id, name, redirect_uris, auth_method, secret_digest, verified_at, created_at, granted_at) VALUES ('01900000-0000-7000-8000-000000000211', 'An app', '{https://app.example/callback}', 'client_secret_basic', '\x67e05decaf93642f954c9017774840456902ddb754346c662fb3a6dabe01c384', '2026-01-03 12:00:00+00', '2026-01-02 12:00:00+00', '2026-01-04 12:00:00+00');


--
-- Data for Name: oauth_codes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_codes (digest, client_id, user_id, redirect_uri, resource, scopes, workspace_ids, code_challenge, expires_at, grant_id) VALUES ('\x3749cb48ee6e8dd6738012fc45cdabda219ccc1a1c46b6525d0f2072a65d90e4', '01900000-0000-7000-8000-000000000211', '01900000-0000-7000-8000-000000000001', 'https://app.example/callback', 'https://api.example', '{read:uptime}', '{01900000-0000-7000-8000-000000000011}', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', '2026-01-04 12:01:00+00', '01900000-0000-7000-8000-000000000221');


--
-- Data for Name: oauth_decisions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_decisions (request_id, lapses_at) VALUES ('01900000-0000-7000-8000-000000000231', '2026-01-04 12:10:00+00');


--
-- Data for Name: oauth_grants; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_grants (id, client_id, user_id, resource, scopes, workspace_ids, created_at, revoked_at, last_used_at) VALUES ('01900000-0000-7000-8000-000000000221', '01900000-0000-7000-8000-000000000211', '01900000-0000-7000-8000-000000000001', 'https://api.example', '{read:uptime}', '{01900000-0000-7000-8000-000000000011}', '2026-01-04 12:00:00+00', NULL, '2026-01-04 13:00:00+00');


--
-- Data for Name: oauth_refresh_tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_refresh_tokens (digest, grant_id, issued_at, expires_at, superseded_at) VALUES ('\xe3316e2bafebb6103a3418e8778c0adc960d40213a03a7e7f4fcd3426ed807bf', '01900000-0000-7000-8000-000000000221', '2026-01-04 12:00:00+00', '2026-02-03 12:00:00+00', '2026-01-04 13:00:00+00');
INSERT INTO public.oauth_refresh_tokens (digest, grant_id, issued_at, expires_at, superseded_at) VALUES ('\xcefbd20e282102766197e69da08fecca890a1c386f514d1e6883dcb3da8939aa', '01900000-0000-7000-8000-000000000221', '2026-01-04 13:00:00+00', '2026-02-03 13:00:00+00', NULL);


--
-- Data for Name: oauth_signing_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_signing_keys (kid, private_key, signs_from, created_at) VALUES ('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs', '\x6e6f206b6579', '2026-01-02 10:10:00+00', '2026-01-02 10:00:00+00');


--
-- Data for Name: plan_quotas; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.plan_quotas (plan_key, resource, quota_limit) VALUES ('default', 'inspector_urls', 2000);


--
-- Data for Name: plans; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.plans (key, name, credits_per_cycle, modules) VALUES ('default', 'Default', 1000000, '{uptime,rum,crux,synthetic,gsc,indexing,robots,sitemap,analytics,alerts,notifications,reports}');


--
-- Data for Name: quota_usage; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.quota_usage (workspace_id, resource, period_start, used) VALUES ('01900000-0000-7000-8000-000000000011', 'tracked_urls_crux', '1970-01-01', 12);


--
-- Data for Name: regions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.regions (key, registered_at, name, continent, country) VALUES ('eu', '2026-01-02 10:00:00+00', 'Frankfurt', 'Europe', 'DE');


--
-- Data for Name: runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.runs (id, domain_id, kind, status, requested_at, started_at, finished_at, result_seconds, expires_at, total_items, completed_items, failed_items, error_code, error_detail, requester_kind, credential_id, credits_charged, requested_items) VALUES ('01900000-0000-7000-8000-000000000131', '01900000-0000-7000-8000-000000000021', 'report', 'partial', '2026-01-04 09:00:00+00', '2026-01-04 09:01:00+00', '2026-01-04 09:02:00+00', 604800, '2026-01-11 09:02:00+00', 8, 7, 1, 'upstream-error', 'The registry answered 500.', 'api_key', '01900000-0000-7000-8000-000000000201', 25, NULL);


--
-- Data for Name: schema_functions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.schema_functions (name, digest) VALUES ('bring_back_cycles', '\xcaf878e8d607843f42ddd1c1c590a274bdbd0e8cedddff1ee0c7e2a37019f19d');
INSERT INTO public.schema_functions (name, digest) VALUES ('claim_idempotency_key', '\x24b450b5e0be598c999aaa86bfd8e3fc97bcedf09e45161a93323b44291acaa0');
INSERT INTO public.schema_functions (name, digest) VALUES ('count_capped_members', '\x22c768347955876564008ce5dd426685ac0c4de1c48f327c637083ccb45cd7bc');
INSERT INTO public.schema_functions (name, digest) VALUES ('credit_cycle', '\x9695dfe1d9f50bed41d6e5d7c811a9cf0f1f2e1433b4841cd90b1360aab15bc6');
INSERT INTO public.schema_functions (name, digest) VALUES ('day_before', '\x8e4f8fd9077c6706663f1381f49d0b1f89adb818c3fd2dd605b7dbcf294ba617');
INSERT INTO public.schema_functions (name, digest) VALUES ('drop_partitions', '\x64bdc32a6830ad199c20b314451e4a2d87ea4371e2299843d88e486da399aa06');
INSERT INTO public.schema_functions (name, digest) VALUES ('ensure_partitions', '\xf60d69019a206d80d37f376c6bbf0b71e7a4f7e7080830bb306faff1b64ec925');
INSERT INTO public.schema_functions (name, digest) VALUES ('grant_by_plan', '\xb6a82bf279d16337fc6fc614cda3d02fe1fc7b036c21bfbe4830f719bbf206be');
INSERT INTO public.schema_functions (name, digest) VALUES ('grant_to_workspaces', '\x6efd8790c3d72c4da3cfdd1ec260661896595def275d1bb65f4a829b3821be6e');
INSERT INTO public.schema_functions (name, digest) VALUES ('move_runs', '\xd31f7bfb3d597ab968479d05d486b51def41bace46e8a8a57479dbdf3f0b45ee');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change', '\x765e4f79b938a61ece387611ccb3a73a92bb7fc331da690bf8247ae2a4455369');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.switches', '\xdae0cd61ba77744b7330e511d4fc026cc5960546430f97a21ab0e85a5460990e');
INSERT INTO public.schema_functions (name, digest) VALUES ('open_credit_balance', '\x0bea29b40e916abc0d0fb9558bbf3b7c0145fc739b7351e645fd109bb55d6488');
INSERT INTO public.schema_functions (name, digest) VALUES ('quota_crossed', '\x66cd17151f218c64efa6e60def82e892a7040ce0dafd418c94af332b45a273b1');
INSERT INTO public.schema_functions (name, digest) VALUES ('quota_notice', '\x3e5495793d6c70325923be2033aa0b7ad87ca7b6d95c374308d71804ea0d1320');
INSERT INTO public.schema_functions (name, digest) VALUES ('settle_charges', '\xe01d5f6c56c09a39d8723b16e3bbcc42d55c0557eb9f691f32e0a2dc3d7039f8');
INSERT INTO public.schema_functions (name, digest) VALUES ('tell_of_quotas', '\xb8062f2231094f2ef4ef8c160061a9197ac33208d64eabbef814d4cf4ef909cd');
INSERT INTO public.schema_functions (name, digest) VALUES ('tell_of_run', '\x906ff9613f3a769a28837cf8ca787651a96535c9367a7eaa6260151e8c536db6');
INSERT INTO public.schema_functions (name, digest) VALUES ('uuid_v7', '\xb8d1dda16fb4a6f12846f833436f540283dcc754aaf4d9ad788a467c2befcb35');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.domains', '\x3871ba88be48f5db63c076080b5f9639b72246b1aaac04d4699dd5831f987b7d');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.members', '\x960bd825c66b7893722e5fb48b14c6387de1055554b212016a855b127ef96876');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.plans', '\x0499cbdbc57a26918822ff5c10ead6b775fd4b0fe04569ec71016770fb4a0dc9');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.users', '\xe651a8eb9d63192d5a3751d7769d3ac6fdcf97008ddb2d1aba135f014153f061');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.workspaces', '\x319447c58d25ce1ac6d081923a413a1f380e26b5c25a36a0c69b7b50cbbb1a2a');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.api_key_secrets', '\x27080b4680c29ad20e88d7a409f9dd7a8850a40ce40d0d62484eccafa76df2c8');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.api_keys', '\x260be8276ee6c96fe4b85bb266625d1dc212fa43f1aa6c27bbdf6fc292ab8d7c');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.oauth_clients', '\x7ff8a46a0bcf0a5d7b4c648b59be0fff9ca4b4374a9c6f98bcae6bdd9f8485af');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.oauth_grants', '\x7eaecddef2c5735a5a1ea94ef9c850d5ab9ebd6cbc5d4c47dc0e90436556ff6a');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.oauth_signing_keys', '\x3731db2e791178573baf8ddea1b049511b48806bc2180e7292cf8f91067c09f6');
INSERT INTO public.schema_functions (name, digest) VALUES ('record_certificate_event', '\x7436de31997d74531f3d65e2d1964a24ca37c06cb84f93a6c9ceba2ffbc0196d');
INSERT INTO public.schema_functions (name, digest) VALUES ('record_incident_event', '\xd0f5e1938df9c2c41b4dc46483f0e94ac5845089b366d6e7a1e3db642a2c41f0');
INSERT INTO public.schema_functions (name, digest) VALUES ('record_registration_events', '\xd9fa76a68ba78e9b9b8abb33bb9e851188ae54e5a35187e1c83705625355c655');
INSERT INTO public.schema_functions (name, digest) VALUES ('schedule_for_workspace', '\x2a20fa9645cbc3d4464237d2dac94be9bef6f1add0e7619e6f74129e9879659c');
INSERT INTO public.schema_functions (name, digest) VALUES ('three_digits', '\x0db046199ead158c2c1a4433562f99e248d3de1ff7af0e7d4eb928ff4194e866');
INSERT INTO public.schema_functions (name, digest) VALUES ('uptime_hours', '\x05f95a185861161dab6bbe8dad9e415734633772382e12170daf7fb0fd5a9dd6');
INSERT INTO public.schema_functions (name, digest) VALUES ('drop_deliveries', '\x357b9b6a2ec6be8e76832b4fe07c910074cd1fd31988a2952f024154c25c3566');
INSERT INTO public.schema_functions (name, digest) VALUES ('keep_late_unread', '\x1290c3551f4a32b6c1b32d4f4d8b93fd53c06469c27e6121d4b7fa5a51211f8b');
INSERT INTO public.schema_functions (name, digest) VALUES ('last_read_marks', '\x01668dd0a580f8f58962e35fc8a496bb27147437745eb70c4563d41ff0287e65');
INSERT INTO public.schema_functions (name, digest) VALUES ('notification_read_at', '\xb2196cd605cc1cf3dbfd4ec8cb52f85bbbe8c9148e5671ecb256316c0ca3a637');
INSERT INTO public.schema_functions (name, digest) VALUES ('queue_metric_events', '\x81f9d0428ba3c301c12647a074e761cd628eedc95bb88254f63a2b332178578e');
INSERT INTO public.schema_functions (name, digest) VALUES ('queue_raised_deliveries', '\x86fbdc32f94faeb2fa3f1fcf79892afa2fc03f3abf10d606b9df4b62ccef82c9');
INSERT INTO public.schema_functions (name, digest) VALUES ('queue_resolved_deliveries', '\x98045cb3cce05dfadc5f36507eb49cf5005b2547e8a92df21e0952a829047431');
INSERT INTO public.schema_functions (name, digest) VALUES ('raise_notifications', '\x6a0497a76ccb979b39856755878414f36561e4774de02c5df5e94b3c423fe434');
INSERT INTO public.schema_functions (name, digest) VALUES ('send_deliveries', '\xa89f5b25f16240971a2dded158655c4a3277900fba01225c2b6f34a5eee537ff');


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sessions (digest, user_id, signed_in_at, last_used_at) VALUES ('\x1e2952b478968fb69e105423445683880726a3929232c26772e629d7ecf762cd', '01900000-0000-7000-8000-000000000001', '2026-01-04 11:59:00+00', '2026-01-04 12:30:00+00');


--
-- Data for Name: set_aside; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.set_aside (kind, subject, reason, payload, first_at, last_at, times) VALUES ('check', '01900000-0000-7000-8000-000000000021 eu', 'a number out of range', '{}', '2026-01-04 09:00:00+00', '2026-01-04 10:00:00+00', 3);


--
-- Data for Name: shared_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.shared_secrets (name, value, created_at) VALUES ('cursors', '\x984ca5162200734c592148f1820b71057f098573d138666b48663e4e30cd8d3a', '2026-01-02 10:00:00+00');


--
-- Data for Name: sign_in_links; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sign_in_links (digest, user_id, expires_at) VALUES ('\x5a3464444d33a68463513f5da667da8e38aaab130f7eeed4b4387644bcada617', '01900000-0000-7000-8000-000000000002', '2026-01-04 10:00:00+00');


--
-- Data for Name: switches; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.switches (name, thrown_at) VALUES ('read-only-mode', '2026-01-30 10:00:00+00');


--
-- Data for Name: uptime_certificate_history; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_certificate_history (domain_id, fingerprint, first_seen_at, last_seen_at, replaced_at, issuer_common_name, valid_from, valid_until, names_count) VALUES ('01900000-0000-7000-8000-000000000021', '81acd762140fa692a142822d2fbe4dc6f54bcaa501f68ab37e5aeed0bafe4d99', '2026-01-02 11:00:00+00', '2026-01-04 10:00:00+00', NULL, 'An authority', '2026-01-01 00:00:00+00', '2026-04-01 00:00:00+00', 2);


--
-- Data for Name: uptime_certificates; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_certificates (domain_id, digest, checked_at, sighting) VALUES ('01900000-0000-7000-8000-000000000021', '\x0648ea47f2eeaf709db0f51dd6e5fe1858f32ca3392eb3efdf9eeea84920d67f', '2026-01-04 10:00:00+00', '{"host": "ada.example", "port": 443, "encounter": "plain"}');


--
-- Data for Name: uptime_checks_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_checks_default (id, domain_id, region, checked_at, outcome, run_id, status_code, http_version, response_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, download_ms, redirect_count, final_url, response_bytes, ip_address, error_class, error_message, keyword_matched, retry_index) VALUES ('01900000-0000-7000-8000-000000000301', '01900000-0000-7000-8000-000000000021', 'eu', '2026-01-04 09:00:00+00', 'down', '01900000-0000-7000-8000-000000000302', 503, '1.1', NULL, 1.5, 10.25, 20, NULL, NULL, 0, 'https://ada.example/', 512, '192.0.2.1', 'http_status', '503 is not expected', NULL, 1);
INSERT INTO public.uptime_checks_default (id, domain_id, region, checked_at, outcome, run_id, status_code, http_version, response_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, download_ms, redirect_count, final_url, response_bytes, ip_address, error_class, error_message, keyword_matched, retry_index) VALUES ('01900000-0000-7000-8000-000000000303', '01900000-0000-7000-8000-000000000021', 'eu', '2026-01-04 10:00:00+00', 'up', NULL, 200, '2', 120.5, 1.5, 10.25, 20, 80, 8.75, 0, 'https://ada.example/', 2048, '2001:db8::1', NULL, NULL, true, 0);


--
-- Data for Name: uptime_distributions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_distributions (domain_id, grain, measure, starts_at, region, times) VALUES ('01900000-0000-7000-8000-000000000021', 'day', 'response', '2026-01-03 00:00:00+00', 'eu', '\xa08d060188a40101');


--
-- Data for Name: uptime_incident_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_incident_events (incident_id, number, at, event, region, detail) OVERRIDING SYSTEM VALUE VALUES ('01900000-0000-7000-8000-000000000311', 1, '2026-01-04 09:00:00+00', 'first_failure', 'eu', '503 is not expected');
INSERT INTO public.uptime_incident_events (incident_id, number, at, event, region, detail) OVERRIDING SYSTEM VALUE VALUES ('01900000-0000-7000-8000-000000000311', 2, '2026-01-04 09:10:00+00', 'recovered', NULL, NULL);


--
-- Data for Name: uptime_incidents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_incidents (id, domain_id, started_at, confirmed_at, resolved_at, class, severity, status_code, error_message, resolved_ip, response_headers, checks_failed, during_maintenance) VALUES ('01900000-0000-7000-8000-000000000311', '01900000-0000-7000-8000-000000000021', '2026-01-04 09:00:00+00', '2026-01-04 09:00:10+00', '2026-01-04 09:10:00+00', 'http_status', 'outage', 503, '503 is not expected', '192.0.2.1', '{"server": "nginx"}', 11, false);


--
-- Data for Name: uptime_monitors; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_monitors (domain_id, settings, created_at, updated_at, updated_by, registrable_domain) VALUES ('01900000-0000-7000-8000-000000000021', '{"url": "https://ada.example/", "method": "GET", "enabled": true, "keyword": null, "regions": ["eu"], "verify_tls": true, "keyword_mode": null, "ssl_warn_days": [30, 7], "sla_target_pct": 99.9, "recovery_checks": 2, "request_headers": {}, "timeout_seconds": 30, "domain_warn_days": [30, 7], "follow_redirects": true, "interval_seconds": 60, "degraded_above_ms": null, "confirmation_checks": 2, "maintenance_windows": [], "expected_status_codes": ["2xx", "3xx"]}', '2026-01-02 11:00:00+00', '2026-01-03 11:00:00+00', '01900000-0000-7000-8000-000000000001', 'ada.example');


--
-- Data for Name: uptime_region_states; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_region_states (domain_id, region, state) VALUES ('01900000-0000-7000-8000-000000000021', 'eu', '{"since": "2026-01-04T09:10:00Z", "failing": null, "is_down": false, "paused_at": null, "holds_until": null, "last_check_at": "2026-01-04T10:00:00Z", "passing_since": "2026-01-04T09:10:00Z", "last_success_at": "2026-01-04T10:00:00Z", "consecutive_passes": 50, "consecutive_failures": 0, "consecutive_forbidden": 0}');


--
-- Data for Name: uptime_rollup_progress; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_rollup_progress (domain_id, rolled_until) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 00:00:00+00');


--
-- Data for Name: uptime_rollups; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_rollups (domain_id, grain, starts_at, region, counts, least_us, most_us, samples, micros) VALUES ('01900000-0000-7000-8000-000000000021', 'day', '2026-01-03 00:00:00+00', 'eu', '{2,2,0,0}', 100000, 120500, '{2,2,2,2,2,2}', '{220500,3000,20500,40000,160000,17500}');


--
-- Data for Name: uptime_schedules; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_schedules (domain_id, region, next_check_at, leased_until, workspace_id) VALUES ('01900000-0000-7000-8000-000000000021', 'eu', '2026-01-04 10:01:00+00', '2026-01-04 10:02:00+00', '01900000-0000-7000-8000-000000000011');


--
-- Data for Name: uptime_spans; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_spans (domain_id, region, state, started_at, ended_at) VALUES ('01900000-0000-7000-8000-000000000021', 'eu', 'down', '2026-01-04 09:00:00+00', '2026-01-04 09:10:00+00');
INSERT INTO public.uptime_spans (domain_id, region, state, started_at, ended_at) VALUES ('01900000-0000-7000-8000-000000000021', 'eu', 'up', '2026-01-04 09:10:00+00', '2026-01-04 10:00:00+00');


--
-- Data for Name: user_passwords; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.user_passwords (user_id, hash, changed_at) VALUES ('01900000-0000-7000-8000-000000000001', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$bm8gaGFzaA', '2026-01-02 10:05:00+00');


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.users (id, email, name, disabled_at, created_at) VALUES ('01900000-0000-7000-8000-000000000001', 'ada@example.org', 'Ada', NULL, '2026-01-02 10:00:00+00');
INSERT INTO public.users (id, email, name, disabled_at, created_at) VALUES ('01900000-0000-7000-8000-000000000002', 'Bob@example.org', 'Bob', '2026-01-20 10:00:00+00', '2026-01-03 10:00:00+00');


--
-- Data for Name: workspaces; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.workspaces (id, name, plan_key, subscription_status, created_at) VALUES ('01900000-0000-7000-8000-000000000011', 'Ada''s', 'default', 'active', '2026-01-02 10:00:00+00');


--
-- Name: alert_pending_events_number_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.alert_pending_events_number_seq', 1, true);


--
-- Name: alert_wakes_number_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.alert_wakes_number_seq', 2, true);


--
-- Name: metric_events_number_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.metric_events_number_seq', 2, true);


--
-- Name: uptime_incident_events_number_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.uptime_incident_events_number_seq', 2, true);


--
-- Name: __diesel_schema_migrations __diesel_schema_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.__diesel_schema_migrations
    ADD CONSTRAINT __diesel_schema_migrations_pkey PRIMARY KEY (version);


--
-- Name: alert_channels alert_channels_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_channels
    ADD CONSTRAINT alert_channels_pkey PRIMARY KEY (id);


--
-- Name: alert_channels alert_channels_unsubscribe_token_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_channels
    ADD CONSTRAINT alert_channels_unsubscribe_token_key UNIQUE (unsubscribe_token);


--
-- Name: alert_deliveries alert_deliveries_notification_id_channel_id_event_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_deliveries
    ADD CONSTRAINT alert_deliveries_notification_id_channel_id_event_key UNIQUE (notification_id, channel_id, event);


--
-- Name: alert_deliveries alert_deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_deliveries
    ADD CONSTRAINT alert_deliveries_pkey PRIMARY KEY (id);


--
-- Name: alert_evaluations alert_evaluations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_evaluations
    ADD CONSTRAINT alert_evaluations_pkey PRIMARY KEY (rule_id);


--
-- Name: alert_history alert_history_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_history
    ADD CONSTRAINT alert_history_pkey PRIMARY KEY (id);


--
-- Name: alert_history alert_history_rule_id_fired_at_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_history
    ADD CONSTRAINT alert_history_rule_id_fired_at_key UNIQUE (rule_id, fired_at);


--
-- Name: alert_pending_events alert_pending_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_pending_events
    ADD CONSTRAINT alert_pending_events_pkey PRIMARY KEY (number);


--
-- Name: alert_rules alert_rules_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_rules
    ADD CONSTRAINT alert_rules_pkey PRIMARY KEY (id);


--
-- Name: alert_wakes alert_wakes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_wakes
    ADD CONSTRAINT alert_wakes_pkey PRIMARY KEY (number);


--
-- Name: api_key_secrets api_key_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_key_secrets
    ADD CONSTRAINT api_key_secrets_pkey PRIMARY KEY (digest);


--
-- Name: api_keys api_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);


--
-- Name: audit_log audit_log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);


--
-- Name: credit_balances credit_balances_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credit_balances
    ADD CONSTRAINT credit_balances_pkey PRIMARY KEY (workspace_id);


--
-- Name: credit_log credit_log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credit_log
    ADD CONSTRAINT credit_log_pkey PRIMARY KEY (workspace_id, occurred_at, request_id);


--
-- Name: credit_log_default credit_log_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credit_log_default
    ADD CONSTRAINT credit_log_default_pkey PRIMARY KEY (workspace_id, occurred_at, request_id);


--
-- Name: credit_member_usage credit_member_usage_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credit_member_usage
    ADD CONSTRAINT credit_member_usage_pkey PRIMARY KEY (workspace_id, user_id);


--
-- Name: domain_registrations domain_registrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.domain_registrations
    ADD CONSTRAINT domain_registrations_pkey PRIMARY KEY (name);


--
-- Name: domains domains_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_pkey PRIMARY KEY (id);


--
-- Name: idempotency_records idempotency_records_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_records
    ADD CONSTRAINT idempotency_records_pkey PRIMARY KEY (credential_id, key);


--
-- Name: jobs jobs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);


--
-- Name: members members_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (workspace_id, user_id);


--
-- Name: metric_events metric_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.metric_events
    ADD CONSTRAINT metric_events_pkey PRIMARY KEY (number);


--
-- Name: notices notices_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_pkey PRIMARY KEY (id);


--
-- Name: notification_read_marks notification_read_marks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notification_read_marks
    ADD CONSTRAINT notification_read_marks_pkey PRIMARY KEY (user_id, domain_id, kind, read_before);


--
-- Name: notification_reads notification_reads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notification_reads
    ADD CONSTRAINT notification_reads_pkey PRIMARY KEY (user_id, notification_id);


--
-- Name: notifications notifications_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (id);


--
-- Name: oauth_clients oauth_clients_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_clients
    ADD CONSTRAINT oauth_clients_pkey PRIMARY KEY (id);


--
-- Name: oauth_codes oauth_codes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_codes
    ADD CONSTRAINT oauth_codes_pkey PRIMARY KEY (digest);


--
-- Name: oauth_decisions oauth_decisions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_decisions
    ADD CONSTRAINT oauth_decisions_pkey PRIMARY KEY (request_id);


--
-- Name: oauth_grants oauth_grants_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_pkey PRIMARY KEY (id);


--
-- Name: oauth_refresh_tokens oauth_refresh_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_refresh_tokens
    ADD CONSTRAINT oauth_refresh_tokens_pkey PRIMARY KEY (digest);


--
-- Name: oauth_signing_keys oauth_signing_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_signing_keys
    ADD CONSTRAINT oauth_signing_keys_pkey PRIMARY KEY (kid);


--
-- Name: plan_quotas plan_quotas_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.plan_quotas
    ADD CONSTRAINT plan_quotas_pkey PRIMARY KEY (plan_key, resource);


--
-- Name: plans plans_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY (key);


--
-- Name: quota_usage quota_usage_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quota_usage
    ADD CONSTRAINT quota_usage_pkey PRIMARY KEY (workspace_id, resource, period_start);


--
-- Name: regions regions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.regions
    ADD CONSTRAINT regions_pkey PRIMARY KEY (key);


--
-- Name: runs runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (id);


--
-- Name: schema_functions schema_functions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_functions
    ADD CONSTRAINT schema_functions_pkey PRIMARY KEY (name);


--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (digest);


--
-- Name: set_aside set_aside_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.set_aside
    ADD CONSTRAINT set_aside_pkey PRIMARY KEY (kind, subject);


--
-- Name: shared_secrets shared_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.shared_secrets
    ADD CONSTRAINT shared_secrets_pkey PRIMARY KEY (name);


--
-- Name: sign_in_links sign_in_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_pkey PRIMARY KEY (digest);


--
-- Name: switches switches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.switches
    ADD CONSTRAINT switches_pkey PRIMARY KEY (name);


--
-- Name: uptime_certificate_history uptime_certificate_history_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_certificate_history
    ADD CONSTRAINT uptime_certificate_history_pkey PRIMARY KEY (domain_id, fingerprint);


--
-- Name: uptime_certificates uptime_certificates_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_certificates
    ADD CONSTRAINT uptime_certificates_pkey PRIMARY KEY (domain_id);


--
-- Name: uptime_checks uptime_checks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_checks
    ADD CONSTRAINT uptime_checks_pkey PRIMARY KEY (domain_id, checked_at, id);


--
-- Name: uptime_checks_default uptime_checks_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_checks_default
    ADD CONSTRAINT uptime_checks_default_pkey PRIMARY KEY (domain_id, checked_at, id);


--
-- Name: uptime_distributions uptime_distributions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_distributions
    ADD CONSTRAINT uptime_distributions_pkey PRIMARY KEY (domain_id, grain, measure, starts_at, region);


--
-- Name: uptime_incident_events uptime_incident_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_incident_events
    ADD CONSTRAINT uptime_incident_events_pkey PRIMARY KEY (incident_id, number);


--
-- Name: uptime_incidents uptime_incidents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_incidents
    ADD CONSTRAINT uptime_incidents_pkey PRIMARY KEY (id);


--
-- Name: uptime_monitors uptime_monitors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_monitors
    ADD CONSTRAINT uptime_monitors_pkey PRIMARY KEY (domain_id);


--
-- Name: uptime_region_states uptime_region_states_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_region_states
    ADD CONSTRAINT uptime_region_states_pkey PRIMARY KEY (domain_id, region);


--
-- Name: uptime_rollup_progress uptime_rollup_progress_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_rollup_progress
    ADD CONSTRAINT uptime_rollup_progress_pkey PRIMARY KEY (domain_id);


--
-- Name: uptime_rollups uptime_rollups_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_rollups
    ADD CONSTRAINT uptime_rollups_pkey PRIMARY KEY (domain_id, grain, starts_at, region);


--
-- Name: uptime_schedules uptime_schedules_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_schedules
    ADD CONSTRAINT uptime_schedules_pkey PRIMARY KEY (domain_id, region);


--
-- Name: uptime_spans uptime_spans_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_spans
    ADD CONSTRAINT uptime_spans_pkey PRIMARY KEY (domain_id, region, started_at);


--
-- Name: user_passwords user_passwords_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_passwords
    ADD CONSTRAINT user_passwords_pkey PRIMARY KEY (user_id);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


--
-- Name: workspaces workspaces_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_pkey PRIMARY KEY (id);


--
-- Name: alert_channels_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_channels_domain_idx ON public.alert_channels USING btree (domain_id);


--
-- Name: alert_channels_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_channels_workspace_idx ON public.alert_channels USING btree (workspace_id, created_at, id);


--
-- Name: alert_deliveries_channel_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_deliveries_channel_idx ON public.alert_deliveries USING btree (channel_id, created_at, id);


--
-- Name: alert_deliveries_created_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_deliveries_created_idx ON public.alert_deliveries USING btree (created_at) WHERE (notification_id IS NULL);


--
-- Name: alert_deliveries_queued_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_deliveries_queued_idx ON public.alert_deliveries USING btree (channel_id, created_at, id) WHERE (state = 'queued'::text);


--
-- Name: alert_evaluations_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_evaluations_domain_idx ON public.alert_evaluations USING btree (domain_id);


--
-- Name: alert_evaluations_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_evaluations_due_idx ON public.alert_evaluations USING btree (next_evaluation_at) WHERE (next_evaluation_at IS NOT NULL);


--
-- Name: alert_evaluations_leased_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_evaluations_leased_idx ON public.alert_evaluations USING btree (leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: alert_evaluations_turns_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_evaluations_turns_idx ON public.alert_evaluations USING btree (workspace_id, next_evaluation_at);


--
-- Name: alert_history_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_history_domain_idx ON public.alert_history USING btree (domain_id, fired_at, id);


--
-- Name: alert_history_fired_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_history_fired_idx ON public.alert_history USING btree (fired_at);


--
-- Name: alert_history_incident_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_history_incident_idx ON public.alert_history USING btree (domain_id, ((context ->> 'incident_id'::text))) WHERE ((context ->> 'incident_id'::text) IS NOT NULL);


--
-- Name: alert_history_open_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_history_open_idx ON public.alert_history USING btree (rule_id) WHERE (resolved_at IS NULL);


--
-- Name: alert_history_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_history_workspace_idx ON public.alert_history USING btree (workspace_id, fired_at, id);


--
-- Name: alert_pending_events_rule_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_pending_events_rule_idx ON public.alert_pending_events USING btree (rule_id, number);


--
-- Name: alert_rules_created_by_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_rules_created_by_idx ON public.alert_rules USING btree (created_by);


--
-- Name: alert_rules_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_rules_domain_idx ON public.alert_rules USING btree (domain_id, created_at, id);


--
-- Name: alert_rules_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_rules_workspace_idx ON public.alert_rules USING btree (workspace_id, created_at, id);


--
-- Name: api_key_secrets_key_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_key_secrets_key_id_idx ON public.api_key_secrets USING btree (key_id, created_at DESC);


--
-- Name: api_keys_created_by_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_keys_created_by_idx ON public.api_keys USING btree (created_by);


--
-- Name: api_keys_workspace_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_keys_workspace_id_idx ON public.api_keys USING btree (workspace_id, created_at DESC, id DESC);


--
-- Name: audit_log_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_at_idx ON public.audit_log USING btree (at, id);


--
-- Name: audit_log_subject_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_subject_idx ON public.audit_log USING btree (subject_kind, subject_id, at);


--
-- Name: domain_registrations_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX domain_registrations_due_idx ON public.domain_registrations USING btree (next_check_at);


--
-- Name: domain_registrations_leased_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX domain_registrations_leased_idx ON public.domain_registrations USING btree (leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: domain_registrations_turns_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX domain_registrations_turns_idx ON public.domain_registrations USING btree (workspace_id, next_check_at);


--
-- Name: domains_workspace_id_hostname_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX domains_workspace_id_hostname_key ON public.domains USING btree (workspace_id, hostname) WHERE (deleted_at IS NULL);


--
-- Name: domains_workspace_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX domains_workspace_id_idx ON public.domains USING btree (workspace_id, created_at, id);


--
-- Name: idempotency_records_created_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_records_created_at_idx ON public.idempotency_records USING btree (created_at);


--
-- Name: jobs_dead_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_dead_idx ON public.jobs USING btree (finished_at) WHERE (state = 'dead'::text);


--
-- Name: jobs_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_due_idx ON public.jobs USING btree (COALESCE(lane, ''::text), COALESCE(leased_until, run_at)) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));


--
-- Name: jobs_run_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_run_idx ON public.jobs USING btree (run_id) WHERE (run_id IS NOT NULL);


--
-- Name: jobs_succeeded_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_succeeded_idx ON public.jobs USING btree (finished_at) WHERE (state = 'succeeded'::text);


--
-- Name: jobs_turns_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_turns_idx ON public.jobs USING btree (COALESCE(lane, ''::text), workspace_id, COALESCE(leased_until, run_at)) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));


--
-- Name: members_credit_cap_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX members_credit_cap_idx ON public.members USING btree (workspace_id, user_id) WHERE (credit_cap IS NOT NULL);


--
-- Name: members_user_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX members_user_id_idx ON public.members USING btree (user_id);


--
-- Name: metric_events_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX metric_events_domain_idx ON public.metric_events USING btree (domain_id, at);


--
-- Name: metric_events_recorded_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX metric_events_recorded_idx ON public.metric_events USING btree (recorded_at);


--
-- Name: notification_read_marks_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notification_read_marks_domain_idx ON public.notification_read_marks USING btree (domain_id, kind, read_before);


--
-- Name: notification_reads_notification_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notification_reads_notification_idx ON public.notification_reads USING btree (notification_id);


--
-- Name: notification_reads_unread_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notification_reads_unread_idx ON public.notification_reads USING btree (user_id) WHERE (read_at IS NULL);


--
-- Name: notifications_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notifications_domain_idx ON public.notifications USING btree (domain_id, kind, created_at, id) INCLUDE (severity, module);


--
-- Name: notifications_own_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notifications_own_idx ON public.notifications USING btree (workspace_id, created_at, id) WHERE (domain_id IS NULL);


--
-- Name: notifications_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notifications_workspace_idx ON public.notifications USING btree (workspace_id, created_at, id);


--
-- Name: oauth_clients_created_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_clients_created_at_idx ON public.oauth_clients USING btree (created_at);


--
-- Name: oauth_codes_client_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_codes_client_id_idx ON public.oauth_codes USING btree (client_id);


--
-- Name: oauth_codes_expires_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_codes_expires_at_idx ON public.oauth_codes USING btree (expires_at);


--
-- Name: oauth_codes_grant_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_codes_grant_id_idx ON public.oauth_codes USING btree (grant_id);


--
-- Name: oauth_codes_user_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_codes_user_id_idx ON public.oauth_codes USING btree (user_id);


--
-- Name: oauth_decisions_lapses_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_decisions_lapses_at_idx ON public.oauth_decisions USING btree (lapses_at);


--
-- Name: oauth_grants_client_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_grants_client_id_idx ON public.oauth_grants USING btree (client_id);


--
-- Name: oauth_grants_user_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_grants_user_id_idx ON public.oauth_grants USING btree (user_id, created_at DESC);


--
-- Name: oauth_refresh_tokens_expires_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_refresh_tokens_expires_at_idx ON public.oauth_refresh_tokens USING btree (expires_at);


--
-- Name: oauth_refresh_tokens_grant_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_refresh_tokens_grant_id_idx ON public.oauth_refresh_tokens USING btree (grant_id);


--
-- Name: runs_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX runs_domain_idx ON public.runs USING btree (domain_id, kind, requested_at, id);


--
-- Name: runs_expiry_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX runs_expiry_idx ON public.runs USING btree (expires_at) WHERE ((status = ANY (ARRAY['succeeded'::text, 'partial'::text])) AND (expires_at IS NOT NULL));


--
-- Name: runs_finished_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX runs_finished_idx ON public.runs USING btree (finished_at) WHERE (finished_at IS NOT NULL);


--
-- Name: runs_open_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX runs_open_idx ON public.runs USING btree (requested_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));


--
-- Name: sessions_signed_in_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_signed_in_at_idx ON public.sessions USING btree (signed_in_at);


--
-- Name: sessions_user_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_user_id_idx ON public.sessions USING btree (user_id);


--
-- Name: sign_in_links_expires_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_links_expires_at_idx ON public.sign_in_links USING btree (expires_at);


--
-- Name: sign_in_links_user_id_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX sign_in_links_user_id_key ON public.sign_in_links USING btree (user_id);


--
-- Name: uptime_checks_found_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_checks_found_idx ON ONLY public.uptime_checks USING btree (hashtextextended(((region || ' '::text) || outcome), uuid_hash_extended(domain_id, (0)::bigint)), checked_at, id);


--
-- Name: INDEX uptime_checks_found_idx; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON INDEX public.uptime_checks_found_idx IS 'Serves lists of one region, one outcome, or both: a page of each pair of them.';


--
-- Name: uptime_checks_default_hashtextextended_checked_at_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_checks_default_hashtextextended_checked_at_id_idx ON public.uptime_checks_default USING btree (hashtextextended(((region || ' '::text) || outcome), uuid_hash_extended(domain_id, (0)::bigint)), checked_at, id);


--
-- Name: uptime_checks_run_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_checks_run_id_idx ON ONLY public.uptime_checks USING btree (run_id) WHERE (run_id IS NOT NULL);


--
-- Name: uptime_checks_default_run_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_checks_default_run_id_idx ON public.uptime_checks_default USING btree (run_id) WHERE (run_id IS NOT NULL);


--
-- Name: uptime_incidents_class_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_incidents_class_idx ON public.uptime_incidents USING btree (hashtextextended(class, uuid_hash_extended(domain_id, (0)::bigint)), started_at, id);


--
-- Name: INDEX uptime_incidents_class_idx; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON INDEX public.uptime_incidents_class_idx IS 'Serves lists of one class.';


--
-- Name: uptime_incidents_domain_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_incidents_domain_id_idx ON public.uptime_incidents USING btree (domain_id, started_at DESC, id DESC);


--
-- Name: uptime_incidents_open_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX uptime_incidents_open_key ON public.uptime_incidents USING btree (domain_id) WHERE (resolved_at IS NULL);


--
-- Name: uptime_monitors_registrable_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_monitors_registrable_domain_idx ON public.uptime_monitors USING btree (registrable_domain);


--
-- Name: uptime_monitors_updated_by_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_monitors_updated_by_idx ON public.uptime_monitors USING btree (updated_by);


--
-- Name: uptime_schedules_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_schedules_due_idx ON public.uptime_schedules USING btree (region, next_check_at);


--
-- Name: uptime_schedules_leased_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_schedules_leased_idx ON public.uptime_schedules USING btree (region, leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: uptime_schedules_turns_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_schedules_turns_idx ON public.uptime_schedules USING btree (region, workspace_id, next_check_at);


--
-- Name: users_created_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX users_created_at_idx ON public.users USING btree (created_at, id);


--
-- Name: users_email_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX users_email_key ON public.users USING btree (lower(email));


--
-- Name: workspaces_created_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX workspaces_created_at_idx ON public.workspaces USING btree (created_at, id);


--
-- Name: workspaces_plan_key_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX workspaces_plan_key_idx ON public.workspaces USING btree (plan_key);


--
-- Name: credit_log_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.credit_log_pkey ATTACH PARTITION public.credit_log_default_pkey;


--
-- Name: uptime_checks_default_hashtextextended_checked_at_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.uptime_checks_found_idx ATTACH PARTITION public.uptime_checks_default_hashtextextended_checked_at_id_idx;


--
-- Name: uptime_checks_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.uptime_checks_pkey ATTACH PARTITION public.uptime_checks_default_pkey;


--
-- Name: uptime_checks_default_run_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.uptime_checks_run_id_idx ATTACH PARTITION public.uptime_checks_default_run_id_idx;


--
-- Name: members count_capped_members; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_capped_members AFTER INSERT OR DELETE OR UPDATE OF credit_cap, workspace_id ON public.members FOR EACH ROW EXECUTE FUNCTION public.count_capped_members();


--
-- Name: alert_channels drop_deliveries; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER drop_deliveries AFTER UPDATE OF off_reason ON public.alert_channels FOR EACH ROW WHEN (((old.off_reason IS NULL) AND (new.off_reason IS NOT NULL))) EXECUTE FUNCTION public.drop_deliveries();


--
-- Name: workspaces grant_by_plan; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER grant_by_plan AFTER UPDATE OF plan_key ON public.workspaces FOR EACH ROW WHEN ((old.plan_key <> new.plan_key)) EXECUTE FUNCTION public.grant_by_plan();


--
-- Name: plans grant_to_workspaces; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER grant_to_workspaces AFTER UPDATE OF credits_per_cycle ON public.plans FOR EACH ROW WHEN ((old.credits_per_cycle <> new.credits_per_cycle)) EXECUTE FUNCTION public.grant_to_workspaces();


--
-- Name: notifications keep_late_unread; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_late_unread AFTER INSERT ON public.notifications REFERENCING NEW TABLE AS new_notifications FOR EACH STATEMENT EXECUTE FUNCTION public.keep_late_unread();


--
-- Name: jobs move_runs; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER move_runs AFTER UPDATE ON public.jobs REFERENCING OLD TABLE AS jobs_before NEW TABLE AS jobs_now FOR EACH STATEMENT EXECUTE FUNCTION public.move_runs();


--
-- Name: api_key_secrets notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.api_key_secrets FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: api_keys notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OF id, workspace_id, created_by, name, scopes, allowlist, created_at, expires_at, revoked_at OR TRUNCATE ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: domains notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.domains FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: members notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.members FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: oauth_clients notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER DELETE OR UPDATE OF verified_at ON public.oauth_clients FOR EACH ROW EXECUTE FUNCTION public.notify_change();


--
-- Name: oauth_grants notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER DELETE OR UPDATE OF revoked_at ON public.oauth_grants FOR EACH ROW EXECUTE FUNCTION public.notify_change();


--
-- Name: oauth_signing_keys notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.oauth_signing_keys FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: plans notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.plans FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: switches notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.switches FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: users notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.users FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: workspaces notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.workspaces FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: oauth_clients notify_truncation; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_truncation AFTER TRUNCATE ON public.oauth_clients FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: oauth_grants notify_truncation; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_truncation AFTER TRUNCATE ON public.oauth_grants FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: workspaces open_credit_balance; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER open_credit_balance AFTER INSERT ON public.workspaces FOR EACH ROW EXECUTE FUNCTION public.open_credit_balance();


--
-- Name: metric_events queue_metric_events; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER queue_metric_events AFTER INSERT ON public.metric_events REFERENCING NEW TABLE AS new_events FOR EACH STATEMENT EXECUTE FUNCTION public.queue_metric_events();


--
-- Name: notifications queue_raised_deliveries; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER queue_raised_deliveries AFTER INSERT ON public.notifications REFERENCING NEW TABLE AS new_notifications FOR EACH STATEMENT EXECUTE FUNCTION public.queue_raised_deliveries();


--
-- Name: notifications queue_resolved_deliveries; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER queue_resolved_deliveries AFTER UPDATE ON public.notifications REFERENCING OLD TABLE AS notifications_before NEW TABLE AS notifications_now FOR EACH STATEMENT EXECUTE FUNCTION public.queue_resolved_deliveries();


--
-- Name: notices raise_notifications; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER raise_notifications AFTER INSERT ON public.notices REFERENCING NEW TABLE AS new_notices FOR EACH STATEMENT EXECUTE FUNCTION public.raise_notifications();


--
-- Name: uptime_certificate_history record_certificate_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER record_certificate_changed AFTER UPDATE OF replaced_at ON public.uptime_certificate_history FOR EACH ROW WHEN (((old.replaced_at IS NULL) AND (new.replaced_at IS NOT NULL))) EXECUTE FUNCTION public.record_certificate_event();


--
-- Name: uptime_incidents record_incident_began; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER record_incident_began AFTER INSERT ON public.uptime_incidents FOR EACH ROW EXECUTE FUNCTION public.record_incident_event();


--
-- Name: uptime_incidents record_incident_ended; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER record_incident_ended AFTER UPDATE OF resolved_at ON public.uptime_incidents FOR EACH ROW WHEN (((old.resolved_at IS NULL) AND (new.resolved_at IS NOT NULL))) EXECUTE FUNCTION public.record_incident_event();


--
-- Name: domain_registrations record_registration_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER record_registration_changed AFTER UPDATE OF changes ON public.domain_registrations FOR EACH ROW WHEN ((old.changes IS DISTINCT FROM new.changes)) EXECUTE FUNCTION public.record_registration_events();


--
-- Name: uptime_schedules schedule_for_workspace; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER schedule_for_workspace BEFORE INSERT ON public.uptime_schedules FOR EACH ROW EXECUTE FUNCTION public.schedule_for_workspace();


--
-- Name: runs tell_of_run; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER tell_of_run AFTER UPDATE OF status ON public.runs FOR EACH ROW WHEN (((old.status = ANY (ARRAY['queued'::text, 'running'::text])) AND (new.status = ANY (ARRAY['succeeded'::text, 'partial'::text, 'failed'::text])))) EXECUTE FUNCTION public.tell_of_run();


--
-- Name: alert_channels alert_channels_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_channels
    ADD CONSTRAINT alert_channels_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: alert_channels alert_channels_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_channels
    ADD CONSTRAINT alert_channels_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: alert_deliveries alert_deliveries_channel_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_deliveries
    ADD CONSTRAINT alert_deliveries_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES public.alert_channels(id) ON DELETE CASCADE;


--
-- Name: alert_deliveries alert_deliveries_notification_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_deliveries
    ADD CONSTRAINT alert_deliveries_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES public.notifications(id) ON DELETE CASCADE;


--
-- Name: alert_evaluations alert_evaluations_rule_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_evaluations
    ADD CONSTRAINT alert_evaluations_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES public.alert_rules(id) ON DELETE CASCADE;


--
-- Name: alert_history alert_history_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_history
    ADD CONSTRAINT alert_history_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: alert_history alert_history_rule_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_history
    ADD CONSTRAINT alert_history_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES public.alert_rules(id) ON DELETE SET NULL;


--
-- Name: alert_rules alert_rules_created_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_rules
    ADD CONSTRAINT alert_rules_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);


--
-- Name: alert_rules alert_rules_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_rules
    ADD CONSTRAINT alert_rules_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: api_key_secrets api_key_secrets_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_key_secrets
    ADD CONSTRAINT api_key_secrets_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id);


--
-- Name: api_keys api_keys_created_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);


--
-- Name: api_keys api_keys_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: credit_balances credit_balances_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credit_balances
    ADD CONSTRAINT credit_balances_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: domains domains_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: members members_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: members members_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: metric_events metric_events_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.metric_events
    ADD CONSTRAINT metric_events_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: notification_read_marks notification_read_marks_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notification_read_marks
    ADD CONSTRAINT notification_read_marks_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: notification_read_marks notification_read_marks_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notification_read_marks
    ADD CONSTRAINT notification_read_marks_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: notification_reads notification_reads_notification_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notification_reads
    ADD CONSTRAINT notification_reads_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES public.notifications(id) ON DELETE CASCADE;


--
-- Name: notification_reads notification_reads_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notification_reads
    ADD CONSTRAINT notification_reads_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: notifications notifications_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: notifications notifications_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: oauth_codes oauth_codes_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_codes
    ADD CONSTRAINT oauth_codes_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.oauth_clients(id);


--
-- Name: oauth_codes oauth_codes_grant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_codes
    ADD CONSTRAINT oauth_codes_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.oauth_grants(id);


--
-- Name: oauth_codes oauth_codes_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_codes
    ADD CONSTRAINT oauth_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: oauth_grants oauth_grants_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.oauth_clients(id);


--
-- Name: oauth_grants oauth_grants_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: oauth_refresh_tokens oauth_refresh_tokens_grant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_refresh_tokens
    ADD CONSTRAINT oauth_refresh_tokens_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.oauth_grants(id);


--
-- Name: plan_quotas plan_quotas_plan_key_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.plan_quotas
    ADD CONSTRAINT plan_quotas_plan_key_fkey FOREIGN KEY (plan_key) REFERENCES public.plans(key);


--
-- Name: quota_usage quota_usage_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quota_usage
    ADD CONSTRAINT quota_usage_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: runs runs_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: sessions sessions_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: sign_in_links sign_in_links_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: uptime_certificate_history uptime_certificate_history_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_certificate_history
    ADD CONSTRAINT uptime_certificate_history_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_certificates uptime_certificates_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_certificates
    ADD CONSTRAINT uptime_certificates_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_checks uptime_checks_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE public.uptime_checks
    ADD CONSTRAINT uptime_checks_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_distributions uptime_distributions_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_distributions
    ADD CONSTRAINT uptime_distributions_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_incident_events uptime_incident_events_incident_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_incident_events
    ADD CONSTRAINT uptime_incident_events_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES public.uptime_incidents(id) ON DELETE CASCADE;


--
-- Name: uptime_incidents uptime_incidents_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_incidents
    ADD CONSTRAINT uptime_incidents_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_monitors uptime_monitors_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_monitors
    ADD CONSTRAINT uptime_monitors_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_monitors uptime_monitors_registrable_domain_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_monitors
    ADD CONSTRAINT uptime_monitors_registrable_domain_fkey FOREIGN KEY (registrable_domain) REFERENCES public.domain_registrations(name);


--
-- Name: uptime_monitors uptime_monitors_updated_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_monitors
    ADD CONSTRAINT uptime_monitors_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES public.users(id);


--
-- Name: uptime_region_states uptime_region_states_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_region_states
    ADD CONSTRAINT uptime_region_states_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_rollup_progress uptime_rollup_progress_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_rollup_progress
    ADD CONSTRAINT uptime_rollup_progress_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_rollups uptime_rollups_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_rollups
    ADD CONSTRAINT uptime_rollups_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_schedules uptime_schedules_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_schedules
    ADD CONSTRAINT uptime_schedules_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.uptime_monitors(domain_id);


--
-- Name: uptime_spans uptime_spans_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_spans
    ADD CONSTRAINT uptime_spans_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: user_passwords user_passwords_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_passwords
    ADD CONSTRAINT user_passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: workspaces workspaces_plan_key_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_plan_key_fkey FOREIGN KEY (plan_key) REFERENCES public.plans(key);


--
-- PostgreSQL database dump complete
--


