WITH months AS (
    INSERT INTO search_months (domain_id, search_type, month)
    SELECT DISTINCT $1, $2, date_trunc('month', days.date)::date
    FROM search_days AS days
    WHERE days.domain_id = $1 AND days.search_type = $2
        AND date_trunc('month', days.date) + interval '1 month' <= $3::date + 1
    ON CONFLICT DO NOTHING
    RETURNING month
)
INSERT INTO search_month_sums AS stored (
    domain_id, search_type, kind, month, value_id, clicks, impressions, position_sum
)
SELECT $1, $2, sums.kind, months.month, sums.value_id, sum(sums.clicks), sum(sums.impressions), sum(sums.position_sum)
FROM months
JOIN search_sums AS sums
    ON sums.domain_id = $1 AND sums.search_type = $2
    AND sums.date >= months.month AND sums.date < months.month + interval '1 month'
GROUP BY sums.kind, months.month, sums.value_id
-- Reads add up the rows of many months by value, which takes less time where neighbours lie side by side in each.
ORDER BY sums.kind, months.month, sums.value_id
ON CONFLICT (domain_id, search_type, kind, month, value_id) DO UPDATE
    SET clicks = excluded.clicks, impressions = excluded.impressions, position_sum = excluded.position_sum
