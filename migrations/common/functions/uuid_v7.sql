CREATE OR REPLACE FUNCTION uuid_v7() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
    -- A random UUID of version 4 (0100), with the milliseconds in its first 48 bits, and version 7 (0111).
    SELECT encode(
        set_bit(
            set_bit(
                overlay(
                    uuid_send(gen_random_uuid())
                    PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                    FROM 1 FOR 6
                ),
                52, 1
            ),
            53, 1
        ),
        'hex'
    )::uuid
$$;
COMMENT ON FUNCTION uuid_v7 () IS
    'A UUID that sorts by the time that it was made at (RFC 9562, version 7). PostgreSQL has one of its own from 18 on.';
