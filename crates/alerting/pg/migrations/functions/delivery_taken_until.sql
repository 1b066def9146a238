CREATE OR REPLACE FUNCTION delivery_taken_until(taken_until timestamptz, lease double precision) RETURNS timestamptz
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN $1 BETWEEN clock_timestamp() AND clock_timestamp() + make_interval(secs => $2) + interval '5 seconds' THEN $1
    END
$$;
COMMENT ON FUNCTION delivery_taken_until (timestamptz, double precision) IS
    'Until when a delivery is taken; null: nobody has it. A delivery that seems to be taken for longer than a lease was taken by a clock that was ahead.';
