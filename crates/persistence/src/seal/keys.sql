-- The keys of the table $1, the oldest first. $2: for how many seconds a key stays once the next has taken over.
SELECT k.id, k.value, k.seals_from,
    coalesce(k.seals_from <= now(), true) AS has_begun,
    EXISTS (
        SELECT FROM sealing_keys AS n
        WHERE n.sealed_table = $1 AND n.seals_from > coalesce(k.seals_from, '-infinity')
            AND n.seals_from <= now() - make_interval(secs => $2)
    ) AS is_over
FROM (
    SELECT NULL::uuid AS id, f.value, NULL::timestamptz AS seals_from FROM shared_secrets AS f WHERE f.name = $1
    UNION ALL
    SELECT s.id, s.value, s.seals_from FROM sealing_keys AS s WHERE s.sealed_table = $1
) AS k
ORDER BY k.seals_from NULLS FIRST, k.id
