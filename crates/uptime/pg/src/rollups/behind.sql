SELECT monitor.domain_id
FROM uptime_monitors AS monitor
LEFT JOIN uptime_rollup_progress AS progress USING (domain_id)
WHERE progress.rolled_until IS NULL OR progress.rolled_until < $1
ORDER BY monitor.domain_id
