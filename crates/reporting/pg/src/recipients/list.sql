SELECT r.id, r.template_id, r.address, r.asked_at, r.confirmed_at, r.unsubscribed_at,
    CASE
        WHEN r.unsubscribed_at IS NOT NULL THEN 'unsubscribed'
        WHEN r.confirmed_at IS NOT NULL THEN 'confirmed'
        WHEN r.asked_until <= now() THEN 'lapsed'
        ELSE 'asked'
    END AS state
FROM report_recipients AS r
WHERE r.template_id = $1 AND ($2 IS NULL OR r.id = $2)
ORDER BY r.address_key
