SELECT least(
    (
        SELECT next_check_at
        FROM uptime_schedules
        WHERE region = $1 AND leased_until IS NULL
        ORDER BY next_check_at
        LIMIT 1
    ),
    -- What is leased comes back when its lease ends, unless it is done by then.
    (SELECT min(leased_until) FROM uptime_schedules WHERE region = $1 AND leased_until IS NOT NULL)
)
-- By a clock that is ahead it is due later.
+ greatest($2 - now(), interval '0') AS next_due
