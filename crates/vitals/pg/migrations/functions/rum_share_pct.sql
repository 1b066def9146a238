CREATE OR REPLACE FUNCTION rum_share_pct(part numeric, whole numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT round(100 * part / nullif(whole, 0), 2)
$$;
COMMENT ON FUNCTION rum_share_pct (numeric, numeric) IS
    'The share of a part in percent, with two decimals; null where there is no whole.';
