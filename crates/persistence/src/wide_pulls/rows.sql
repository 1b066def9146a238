SELECT w.cells
FROM wide_pulls AS p
JOIN runs AS r ON r.id = p.run_id
JOIN wide_pull_rows AS w ON w.run_id = p.run_id
WHERE p.run_id = $1 AND r.domain_id = $2 AND w.place > $3 AND w.place <= $4
ORDER BY w.place
