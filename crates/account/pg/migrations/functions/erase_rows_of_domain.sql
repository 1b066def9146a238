-- The tables come from the catalogue, so that none is forgotten. Rows that refer to others go before them; those without a domain_id
-- go with the rows that they belong to (ON DELETE CASCADE). Among rows that refer to each other, those go first to which none refers.
CREATE OR REPLACE FUNCTION erase_rows_of_domain(domain uuid, most bigint) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    place regclass;
    unless_referred_to text;
    erased bigint;
    done bigint := 0;
BEGIN
    FOR place, unless_referred_to IN
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
            (
                SELECT string_agg(
                    format(
                        ' AND NOT EXISTS (SELECT FROM %s AS other WHERE %s)',
                        o.oid::regclass,
                        (
                            SELECT string_agg(format('other.%I = this.%I', refers.attname, referred.attname), ' AND ')
                            FROM unnest(f.conkey, f.confkey) AS k (from_column, to_column)
                            JOIN pg_attribute AS refers ON refers.attrelid = o.oid AND refers.attnum = k.from_column
                            JOIN pg_attribute AS referred ON referred.attrelid = o.oid AND referred.attnum = k.to_column
                        )
                    ),
                    ''
                )
                FROM pg_constraint AS f
                WHERE f.contype = 'f' AND f.conrelid = o.oid AND f.confrelid = o.oid
            )
        FROM owned AS o
        JOIN levels AS l ON l.oid = o.oid
        WHERE o.relkind = 'r'
        GROUP BY o.oid
        ORDER BY max(l.level) DESC, o.oid
    LOOP
        LOOP
            EXECUTE format(
                'DELETE FROM %1$s WHERE ctid = ANY (
                    ARRAY(SELECT this.ctid FROM %1$s AS this WHERE this.domain_id = $1%2$s LIMIT $2)
                )',
                place,
                coalesce(unless_referred_to, '')
            ) USING domain, most - done;
            GET DIAGNOSTICS erased = ROW_COUNT;
            done := done + erased;
            -- The rows that these referred to may go next.
            EXIT WHEN erased = 0 OR done >= most OR unless_referred_to IS NULL;
        END LOOP;
        EXIT WHEN done >= most;
        -- Rows that refer to each other in a circle go together, or not at all.
        IF unless_referred_to IS NOT NULL THEN
            EXECUTE format('DELETE FROM %s WHERE domain_id = $1', place) USING domain;
            GET DIAGNOSTICS erased = ROW_COUNT;
            done := done + erased;
            EXIT WHEN done >= most;
        END IF;
    END LOOP;
    RETURN done;
END
$$;
COMMENT ON FUNCTION erase_rows_of_domain (uuid, bigint) IS
    'Deletes about so many rows of a domain from whichever tables have some. Returns how many it deleted: 0 once there are none. The credit log stays.';
