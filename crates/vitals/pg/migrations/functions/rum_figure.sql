CREATE OR REPLACE FUNCTION rum_figure(value double precision) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT round(value::numeric, 1)
$$;
COMMENT ON FUNCTION rum_figure (double precision) IS 'A time or a size as answers show it, with one decimal; null stays null.';
