-- Half away from zero. Beyond 2,000 seconds, which no check lasts, it stays there.
CREATE OR REPLACE FUNCTION three_digits(micros bigint) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
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
COMMENT ON FUNCTION three_digits (bigint) IS 'A time in microseconds, rounded to three significant digits.';
