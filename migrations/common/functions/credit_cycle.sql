CREATE OR REPLACE FUNCTION credit_cycle(anchor date, at timestamptz, OUT cycle_start timestamptz, OUT cycle_end timestamptz)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
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
COMMENT ON FUNCTION credit_cycle (date, timestamptz) IS
    'The monthly cycle that a moment lies in, from 00:00 UTC of the anchor''s day of the month; a shorter month uses its last day.';
