CREATE OR REPLACE FUNCTION rum_path_template(address text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT regexp_replace(
        coalesce(substring(address FROM '^[^:/]+://[^/]+(/.*)$'), '/'),
        '/(\d+|\[redacted\]|(?=[^/]*\d)[0-9a-f-]{8,})(?=/|$)', '/:id', 'gi'
    )
$$;
COMMENT ON FUNCTION rum_path_template (text) IS
    'The path of an address in which segments that are numbers, hexadecimal ids or redacted are :id.';
