SELECT run_id,
    count(*) FILTER (WHERE state = 'queued') AS queued,
    count(*) FILTER (WHERE state = 'sent') AS sent,
    count(*) FILTER (WHERE state = 'failed') AS failed,
    count(*) FILTER (WHERE state = 'dropped') AS dropped
FROM report_deliveries
WHERE run_id = ANY ($1)
GROUP BY run_id
