//! The statements of a table of things with a due time.

/// The statements of a table of things with a due time, as SQL. [`due_table`](crate::due_table) makes all of them of one
/// description, so that claims, looks ahead and releases mean the same rows.
#[derive(Clone, Copy, Debug)]
pub struct DueTable {
    /// Claims what is due, for [`claim`](super::claim).
    pub claim: &'static str,
    /// Says when the next thing is due, for [`next_due`](super::next_due).
    pub next_due: &'static str,
    /// Counts what could be claimed, for [`backlog`](super::backlog).
    pub backlog: &'static str,
    /// Gives claims back: the keys are the array `$2`, the ends of their leases `$3`.
    pub release: &'static str,
}

/// The [`DueTable`](crate::due::DueTable) of a table.
///
/// `table` with its `key` and the column `due`; `from`: the table as `s` with what `live` looks at, which says what may be
/// due at all; `lane`: a condition on `$1`, or `true`; `columns` of the rows, with `joins` to where they come from, beside
/// those of the table's row, which is called `claimed` there.
///
/// The oldest go first, as long as there is room for all that is due. Where there is not, each claim also looks at what the
/// next few workspaces have due, and those go first that have the least under way: so a workspace with thousands due holds up
/// nobody's few. All of it is read by index, and no more than a claim takes, a few times over. A node's clock that is ahead
/// makes nothing due: the database's has a say.
#[macro_export]
macro_rules! due_table {
    (
        table: $table:literal, key: $key:literal, due: $due:literal, from: $from:literal, lane: $lane:literal,
        live: $live:literal, columns: $columns:literal, joins: $joins:literal
    ) => {
        $crate::due::DueTable {
            claim: concat!(
            "WITH RECURSIVE oldest AS MATERIALIZED (
    SELECT s.", $key, ", s.workspace_id, s.", $due, " AS due_at
    FROM ", $from, "
    WHERE ", $lane, "
        AND s.", $due, " <= least($2, now()) + $3 * interval '1 second'
        AND (s.leased_until IS NULL OR s.leased_until <= least($2, now()))
        AND ", $live, "
    ORDER BY s.", $due, "
    LIMIT $5
    FOR UPDATE OF s SKIP LOCKED
),
-- The workspaces whose turn it is to be looked at, after those of the last claim.
visited (workspace_id, number) AS (
    (
        SELECT s.workspace_id, 1::bigint
        FROM ", $table, " AS s
        WHERE ", $lane, " AND s.workspace_id > $6 AND (SELECT count(*) FROM oldest) >= $5
        ORDER BY s.workspace_id
        LIMIT 1
    )
    UNION ALL
    SELECT next.workspace_id, v.number + 1
    FROM visited AS v
    CROSS JOIN LATERAL (
        SELECT s.workspace_id
        FROM ", $table, " AS s
        WHERE ", $lane, " AND s.workspace_id > v.workspace_id
        ORDER BY s.workspace_id
        LIMIT 1
    ) AS next
    WHERE v.number < $7
),
others AS MATERIALIZED (
    SELECT due.", $key, ", v.workspace_id, due.due_at
    FROM visited AS v
    CROSS JOIN LATERAL (
        SELECT s.", $key, ", s.", $due, " AS due_at
        FROM ", $from, "
        WHERE ", $lane, "
            AND s.workspace_id = v.workspace_id
            AND s.", $due, " <= least($2, now()) + $3 * interval '1 second'
            AND (s.leased_until IS NULL OR s.leased_until <= least($2, now()))
            AND ", $live, "
        ORDER BY s.", $due, "
        LIMIT 4
        FOR UPDATE OF s SKIP LOCKED
    ) AS due
),
under_way AS MATERIALIZED (
    SELECT s.workspace_id, count(*) AS things
    FROM ", $table, " AS s
    WHERE ", $lane, " AND s.leased_until > least($2, now()) AND (SELECT count(*) FROM oldest) >= $5
    GROUP BY s.workspace_id
),
due AS MATERIALIZED (
    SELECT found.", $key, "
    FROM (SELECT * FROM oldest UNION SELECT * FROM others) AS found
    LEFT JOIN under_way AS u ON u.workspace_id = found.workspace_id
    ORDER BY
        coalesce(u.things, 0)
            + row_number() OVER (PARTITION BY found.workspace_id ORDER BY found.due_at),
        found.due_at
    LIMIT $5
),
claimed AS (
    UPDATE ", $table, " AS s
    SET leased_until = least($2, now()) + $4 * interval '1 second'
    -- An array is looked up by key. A join with what is due is planned as if that were many, and reads the whole table.
    WHERE s.", $key, " = ANY (ARRAY(SELECT ", $key, " FROM due)) AND ", $lane, "
    RETURNING s.*
)
SELECT ", $columns, ", claimed.", $due, " AS due_at, claimed.leased_until,
    extract(epoch FROM claimed.", $due, " - least($2, now()))::float8 AS due_in,
    (SELECT v.workspace_id FROM visited AS v WHERE v.number = $7) AS visited
FROM claimed
", $joins, "
ORDER BY claimed.", $due
            ),
            next_due: concat!(
            "SELECT least(
    (
        SELECT s.", $due, "
        FROM ", $from, "
        WHERE ", $lane, " AND s.leased_until IS NULL AND ", $live, "
        ORDER BY s.", $due, "
        LIMIT 1
    ),
    -- A leased row comes back when its lease ends, unless it is done by then.
    (
        SELECT s.leased_until
        FROM ", $from, "
        WHERE ", $lane, " AND s.leased_until IS NOT NULL AND ", $live, "
        ORDER BY s.leased_until
        LIMIT 1
    )
)
-- By a clock that is ahead it is due later.
+ greatest($2 - now(), interval '0') AS next_due"
            ),
            backlog: concat!(
            "SELECT count(*) AS due, extract(epoch FROM now() - min(found.due_at))::float8 AS age
FROM (
    SELECT s.", $due, " AS due_at
    FROM ", $from, "
    WHERE ", $lane, "
        AND s.", $due, " <= now()
        AND (s.leased_until IS NULL OR s.leased_until <= now())
        AND ", $live, "
    ORDER BY s.", $due, "
    LIMIT $2
) AS found"
            ),
            release: concat!(
            "WITH claimed AS MATERIALIZED (
    SELECT s.", $key, ", s.leased_until
    FROM ", $table, " AS s
    JOIN unnest($2, $3) AS held (key, leased_until) ON held.key = s.", $key, " AND held.leased_until = s.leased_until
    WHERE ", $lane, "
    -- A row that somebody else holds is being completed, or was claimed by them when the lease ended.
    FOR UPDATE OF s SKIP LOCKED
)
UPDATE ", $table, " AS s
SET leased_until = NULL
FROM claimed
WHERE s.", $key, " = claimed.", $key, " AND s.leased_until = claimed.leased_until AND ", $lane
            ),
        }
    };
}
