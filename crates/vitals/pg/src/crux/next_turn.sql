SELECT (extract(epoch FROM t.next_at - clock_timestamp()) * 1000)::bigint AS wait_ms
FROM crux_turns AS t
