INSERT INTO crux_turns AS known (id, next_at)
VALUES (1, clock_timestamp() + $1 * interval '1 millisecond')
ON CONFLICT (id) DO UPDATE SET next_at = greatest(known.next_at, excluded.next_at)
