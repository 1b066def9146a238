-- A delivery that has ended stays so, but for one that was given up and that an operator had sent again.
UPDATE report_deliveries
SET state = CASE $2 WHEN 'again' THEN 'queued' ELSE $2 END,
    attempts = attempts + CASE $2 WHEN 'dropped' THEN 0 ELSE 1 END,
    last_error = CASE $2 WHEN 'dropped' THEN last_error ELSE $3 END,
    ended_at = CASE $2 WHEN 'again' THEN NULL ELSE now() END
WHERE id = $1 AND (state = 'queued' OR (state = 'failed' AND $2 IN ('sent', 'failed')))
