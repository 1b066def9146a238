CREATE OR REPLACE FUNCTION settle_charges(
    request_ids uuid[],
    times timestamptz[],
    workspace_ids uuid[],
    credential_ids uuid[],
    user_ids uuid[],
    domain_ids uuid[],
    operations text[],
    statuses smallint[],
    costs integer[],
    caches text[],
    again boolean
) RETURNS TABLE (
    workspace_id uuid,
    remaining bigint,
    refused bigint,
    used bigint,
    allowance bigint,
    resets_at timestamptz
)
LANGUAGE plpgsql
-- Every look-up is one by a key, however small the tables were when a session first came here.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_bitmapscan = off
SET jit = off
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
COMMENT ON FUNCTION settle_charges (uuid[], timestamptz[], uuid[], uuid[], uuid[], uuid[], text[], smallint[], integer[], text[], boolean) IS
    'Charges a batch, whatever is in its way. The first ten arrays are its columns. A row for each workspace that has a charge settled, with what the batch has left it; a row for each charge that was refused, by its number from 1, with what was used of which allowance until when. Charges of an attempt before this one are found again where the last argument says so.';
