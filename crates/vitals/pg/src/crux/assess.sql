-- How a target stands by its newest figures. An origin that passed on a form factor and fails now is an event of its rules.
WITH before AS (
    SELECT t.domain_id, t.url, t.mobile_passing_since, t.desktop_passing_since
    FROM crux_targets AS t
    WHERE t.id = $1
), assessed AS (
    UPDATE crux_targets
    SET mobile_passing_since = $2, desktop_passing_since = $3, first_seen_data_on = least(first_seen_data_on, $4)
    WHERE id = $1
)
INSERT INTO metric_events (domain_id, module, metric, at, context)
SELECT b.domain_id, 'crux', 'assessment_failed', $7, jsonb_build_object('form_factor', ended.form_factor)
FROM before AS b
CROSS JOIN LATERAL (
    VALUES ('mobile', b.mobile_passing_since, $5), ('desktop', b.desktop_passing_since, $6)
) AS ended (form_factor, passing_since, fails)
WHERE b.url IS NULL AND ended.passing_since IS NOT NULL AND ended.fails
