-- An order is refunded at most to its value, refund by refund; one that names no value is all that is left of it. A refund that names
-- no currency is in that of its order, and an order that names none is in the site's own. Nothing bounds refunds whose order is not
-- known, has no value, or is in another currency: there left_cents is null.
WITH told AS MATERIALIZED (
    SELECT
        c.*, coalesce(o.currency, c.currency) AS counted_in, o.value_cents AS order_cents,
        o.value_cents - o.refunded_cents AS left_cents
    FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS c (
        domain_id, at, hit_id, session_id, visitor_id, step, value_cents, currency, is_repeated, order_id
    )
    LEFT JOIN analytics_sites AS s ON s.domain_id = c.domain_id
    LEFT JOIN analytics_orders AS o
        ON c.step = 4 AND o.domain_id = c.domain_id AND o.order_id = c.order_id
        AND (
            c.value_cents IS NULL OR c.currency IN ('', o.currency)
            OR (o.currency = '' AND c.currency = s.settings ->> 'currency')
        )
), counted AS MATERIALIZED (
    SELECT
        t.*, coalesce(t.value_cents, t.left_cents) AS asked_cents,
        coalesce(sum(coalesce(t.value_cents, t.left_cents)) OVER (
            PARTITION BY t.domain_id, t.order_id, t.left_cents IS NULL
            ORDER BY t.at, t.hit_id
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS before_cents
    FROM told AS t
), taken AS MATERIALIZED (
    SELECT
        c.*,
        CASE
            WHEN c.left_cents IS NULL THEN c.value_cents
            ELSE (least(c.left_cents, c.before_cents + c.asked_cents) - least(c.left_cents, c.before_cents))::bigint
        END AS taken_cents
    FROM counted AS c
), noted AS (
    UPDATE analytics_orders AS o
    SET refunded_cents = o.refunded_cents + r.taken_cents
    FROM (
        SELECT t.domain_id, t.order_id, sum(t.taken_cents)::bigint AS taken_cents
        FROM taken AS t
        WHERE t.left_cents IS NOT NULL
        GROUP BY t.domain_id, t.order_id
    ) AS r
    WHERE o.domain_id = r.domain_id AND o.order_id = r.order_id AND r.taken_cents > 0
)
INSERT INTO analytics_commerce (
    domain_id, at, hit_id, session_id, visitor_id, step, value_cents, currency, is_repeated
)
SELECT
    t.domain_id, t.at, t.hit_id, t.session_id, t.visitor_id, t.step, t.taken_cents,
    t.counted_in, t.is_repeated OR coalesce(t.order_cents > 0 AND t.left_cents <= t.before_cents, false)
FROM taken AS t
