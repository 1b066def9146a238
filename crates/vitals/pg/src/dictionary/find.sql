SELECT wanted.place::integer, t.id, t.used_on
FROM unnest($1, $2, $3) WITH ORDINALITY AS wanted (domain_id, dimension, value, place)
JOIN rum_texts AS t
    ON t.domain_id = wanted.domain_id AND t.dimension = wanted.dimension AND t.value = wanted.value
