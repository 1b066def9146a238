CREATE OR REPLACE FUNCTION rum_bucket(value double precision, smallest double precision, growth double precision)
RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN value < smallest THEN -32768 ELSE floor(ln(value) / ln(growth)) END::smallint
$$;
COMMENT ON FUNCTION rum_bucket (double precision, double precision, double precision) IS
    'The bucket of a histogram that a value falls into; the least number for nothing.';
