SELECT wanted.place::integer, v.id, v.used_on
FROM unnest($1, $2, $3) WITH ORDINALITY AS wanted (domain_id, dimension, value, place)
JOIN analytics_values AS v
    ON v.domain_id = wanted.domain_id AND v.dimension = wanted.dimension AND v.value = wanted.value
