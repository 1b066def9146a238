-- The turn after those that other nodes have taken, unless it is further off than $2; $1 and $2 in milliseconds. How long it is
-- until then.
INSERT INTO crux_turns AS known (id, next_at)
VALUES (1, clock_timestamp() + $1 * interval '1 millisecond')
ON CONFLICT (id) DO UPDATE SET next_at = greatest(known.next_at, clock_timestamp()) + $1 * interval '1 millisecond'
WHERE known.next_at <= clock_timestamp() + $2 * interval '1 millisecond'
RETURNING (extract(epoch FROM next_at - clock_timestamp()) * 1000)::bigint - $1 AS wait_ms
