CREATE OR REPLACE FUNCTION analytics_cents(amount numeric) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT least(greatest(coalesce(amount, 0), -4000000000000000000), 4000000000000000000)::bigint
$$;
COMMENT ON FUNCTION analytics_cents (numeric) IS
    'A sum of amounts, 0 of none, and no further from zero than 4 · 10^18: whoever knows a site''s key can claim orders that come to more than a bigint holds.';
