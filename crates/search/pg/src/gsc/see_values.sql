-- A value that is held by this statement is not forgotten meanwhile; one that was forgotten before it is learned anew by the next.
UPDATE search_values AS known
SET last_month = date_trunc('month', $4)::date
WHERE known.domain_id = $1 AND known.kind = $2 AND known.value = ANY ($3) AND known.last_month < date_trunc('month', $4)
