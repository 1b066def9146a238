-- The tables come from the catalogue, so that none is forgotten. What refers to others goes before them; what has no domain_id
-- goes with the rows that it belongs to (ON DELETE CASCADE).
CREATE OR REPLACE FUNCTION erase_rows_of_domain(domain uuid, most bigint) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    place regclass;
    refers_to_itself boolean;
    erased bigint;
    done bigint := 0;
BEGIN
    FOR place, refers_to_itself IN
        WITH RECURSIVE owned AS (
            SELECT c.oid, c.relkind
            FROM pg_class AS c
            JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'domain_id' AND NOT a.attisdropped
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
                -- The log of what the workspace paid for is the workspace's. It ends after 90 days.
                AND c.oid NOT IN (SELECT relid FROM pg_partition_tree('credit_log'))
        ),
        levels AS (
            SELECT oid, 0 AS level FROM owned
            UNION
            SELECT f.conrelid, l.level + 1
            FROM levels AS l
            JOIN pg_constraint AS f ON f.contype = 'f' AND f.confrelid = l.oid AND f.conrelid <> l.oid
            JOIN owned AS o ON o.oid = f.conrelid
            -- Far more than there are, should tables ever refer to each other in a circle.
            WHERE l.level < 20
        )
        SELECT
            o.oid::regclass,
            EXISTS (
                SELECT FROM pg_constraint AS f
                WHERE f.contype = 'f' AND f.conrelid = o.oid AND f.confrelid = o.oid
            )
        FROM owned AS o
        JOIN levels AS l ON l.oid = o.oid
        WHERE o.relkind = 'r'
        GROUP BY o.oid
        ORDER BY max(l.level) DESC, o.oid
    LOOP
        EXECUTE format(
            'DELETE FROM %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE domain_id = $1 LIMIT $2))',
            place
        )
        -- Of rows that refer to each other, part of them can't go.
        USING domain, CASE WHEN NOT refers_to_itself THEN most - done END;
        GET DIAGNOSTICS erased = ROW_COUNT;
        done := done + erased;
        EXIT WHEN done >= most;
    END LOOP;
    RETURN done;
END
$$;
COMMENT ON FUNCTION erase_rows_of_domain (uuid, bigint) IS
    'Deletes about so many rows of a domain from whichever tables have some. Returns how many it deleted: 0 once there are none. The credit log stays.';
