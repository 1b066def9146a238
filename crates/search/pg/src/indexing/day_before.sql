-- How the URLs of a domain stood on a day, as the last day with an inspection up to it left them.
SELECT d.*
FROM indexing_days AS d
WHERE d.domain_id = $1 AND d.day <= $2
ORDER BY d.day DESC
LIMIT 1
