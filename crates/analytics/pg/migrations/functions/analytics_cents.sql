CREATE OR REPLACE FUNCTION analytics_cents(total numeric)
RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT greatest(least(coalesce(total, 0), 9007199254740992), -9007199254740992)::bigint
$$;
COMMENT ON FUNCTION analytics_cents (numeric) IS
    'A sum of money in hundredths; 0 where nothing was added up. It ends at 2^53, up to which numbers of answers are exact: who knows a site''s key may tell of orders that come to more than any column holds.';
