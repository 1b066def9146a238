CREATE OR REPLACE FUNCTION rum_is_good(
    lcp_ms double precision, inp_ms double precision, cls double precision, bands double precision[]
)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT num_nonnulls(lcp_ms, inp_ms, cls) > 0
        AND (lcp_ms <= bands[1]) IS NOT FALSE AND (inp_ms <= bands[3]) IS NOT FALSE AND (cls <= bands[5]) IS NOT FALSE
$$;
COMMENT ON FUNCTION rum_is_good (double precision, double precision, double precision, double precision[]) IS
    'Whether a view has a core metric, and those that it has are good, by the bounds of the bands of all metrics, two each.';
