-- By their keys, as all who store lock them.
SELECT o.order_id
FROM unnest($1, $2) AS told (domain_id, order_id)
JOIN analytics_orders AS o ON o.domain_id = told.domain_id AND o.order_id = told.order_id
ORDER BY o.domain_id, o.order_id
FOR NO KEY UPDATE OF o
