-- The salt of a UTC day, the same for all who ask: the first brings it. Null for a day that has not begun, and for one that
-- ended more than an hour ago, whose salt goes for good.
CREATE OR REPLACE FUNCTION collect_salt(wanted date, fresh bytea) RETURNS bytea
    LANGUAGE plpgsql AS $$
DECLARE
    today date := (now() AT TIME ZONE 'UTC')::date;
    oldest date := (now() AT TIME ZONE 'UTC' - interval '1 hour')::date;
BEGIN
    IF wanted NOT BETWEEN oldest AND today THEN
        RETURN NULL;
    END IF;
    DELETE FROM collect_salts WHERE day NOT BETWEEN oldest AND today;
    INSERT INTO collect_salts (day, salt) VALUES (wanted, fresh) ON CONFLICT DO NOTHING;
    RETURN (SELECT salt FROM collect_salts WHERE day = wanted);
END
$$;
COMMENT ON FUNCTION collect_salt (date, bytea) IS
    'The salt of a day, made of fresh bytes if there is none. Null for a day whose salt is gone, or that has not begun.';
