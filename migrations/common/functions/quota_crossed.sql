CREATE OR REPLACE FUNCTION quota_crossed(before bigint, after bigint, allowance bigint) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    -- Four fifths of an allowance, rounded up, without a product that might be too large. Nobody comes from below an
    -- allowance of 0.
    SELECT CASE
        WHEN before < allowance AND after >= allowance THEN 100
        WHEN before < allowance - allowance / 5 AND after >= allowance - allowance / 5 THEN 80
    END
$$;
COMMENT ON FUNCTION quota_crossed (bigint, bigint, bigint) IS
    'The percentage of an allowance, 80 or 100, that charges have used and that was not used before them: the higher of the two. Null: neither.';
