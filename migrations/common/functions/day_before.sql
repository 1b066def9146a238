CREATE OR REPLACE FUNCTION day_before(present timestamptz, kept text) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT date_trunc('day', present AT TIME ZONE 'UTC' - kept::interval) AT TIME ZONE 'UTC'
$$;
COMMENT ON FUNCTION day_before (timestamptz, text) IS
    'The first moment of the UTC day that lies an interval such as 12 months before a moment. Everything older is no longer kept.';
