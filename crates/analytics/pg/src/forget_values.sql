-- It is known to within a month when a value was last used, and months are dropped whole. The rest of the 400 days is for nodes of
-- the version before, which use values and write no day. One that is being used is not old.
WITH old AS (
    SELECT v.id, v.domain_id
    FROM analytics_values AS v
    WHERE v.used_on < (day_before($1, $2) AT TIME ZONE 'UTC')::date - 400
    LIMIT 10000
    FOR UPDATE SKIP LOCKED
), titles AS (
    DELETE FROM analytics_titles AS t
    USING old
    WHERE t.domain_id = old.domain_id AND t.page = old.id
)
DELETE FROM analytics_values AS v
WHERE v.id = ANY (ARRAY(SELECT old.id FROM old))
