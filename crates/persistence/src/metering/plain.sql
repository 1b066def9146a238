-- Charges the workspaces of a batch that can pay all of theirs as it came. Balances are locked in the order of their ids,
-- in which the payers come. One that waited for its lock is looked at as the lock found it.
WITH charged AS (
    UPDATE credit_balances AS b SET used = b.used + payer.total
    FROM unnest($1, $2) WITH ORDINALITY AS payer (workspace_id, total, number)
    WHERE b.workspace_id = payer.workspace_id
        AND b.cycle_start <= $3 AND b.cycle_end > $4
        AND b.capped_members = 0 AND b.granted - b.used >= payer.total
        -- Where people are to be told of what is used, settle_charges does it.
        AND quota_crossed(b.used, b.used + payer.total, b.granted) IS NULL
    RETURNING b.workspace_id, payer.number::integer, b.cycle_start, b.granted - b.used AS remaining
), logged AS (
    INSERT INTO credit_log (
        workspace_id, occurred_at, request_id, credential_id, domain_id, operation, status, cost, cache
    )
    -- By subscripts: unnest would put each of the columns on a pile of its own first.
    SELECT $1[$8[n]], $9[n], $10[n], $11[n], $12[n], $13[n], $14[n], $15[n], $16[n]
    FROM generate_series(1, cardinality($8)) AS n
    WHERE $8[n] = ANY (ARRAY(SELECT number FROM charged))
), shared AS (
    INSERT INTO credit_member_usage AS u (workspace_id, user_id, cycle_start, used)
    SELECT charged.workspace_id, share.user_id, charged.cycle_start, share.total
    FROM unnest($5, $6, $7) AS share (payer, user_id, total)
    JOIN charged ON charged.number = share.payer
    ON CONFLICT (workspace_id, user_id) DO UPDATE SET
        cycle_start = excluded.cycle_start,
        used = excluded.used + CASE u.cycle_start WHEN excluded.cycle_start THEN u.used ELSE 0 END
)
SELECT workspace_id, remaining FROM charged
