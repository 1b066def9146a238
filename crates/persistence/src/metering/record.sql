INSERT INTO credit_log (
    request_id, occurred_at, workspace_id, credential_id, domain_id, operation, status, cost, cache
)
SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT DO NOTHING
