WITH told AS (
    SELECT * FROM unnest($1, $2, $3) AS told (domain_id, load_id, at)
), engagements AS (
    DELETE FROM rum_engagements AS old USING told
    WHERE old.domain_id = told.domain_id AND old.at = told.at AND old.load_id = told.load_id
),
lcp AS (
    DELETE FROM rum_lcp AS old USING told
    WHERE old.domain_id = told.domain_id AND old.at = told.at AND old.load_id = told.load_id
),
inp AS (
    DELETE FROM rum_inp AS old USING told
    WHERE old.domain_id = told.domain_id AND old.at = told.at AND old.load_id = told.load_id
),
cls AS (
    DELETE FROM rum_cls AS old USING told
    WHERE old.domain_id = told.domain_id AND old.at = told.at AND old.load_id = told.load_id
),
ttfb AS (
    DELETE FROM rum_ttfb AS old USING told
    WHERE old.domain_id = told.domain_id AND old.at = told.at AND old.load_id = told.load_id
),
server_timings AS (
    DELETE FROM rum_server_timings AS old USING told
    WHERE old.domain_id = told.domain_id AND old.at = told.at AND old.load_id = told.load_id
),
errors AS (
    DELETE FROM rum_errors AS old USING told
    WHERE old.domain_id = told.domain_id AND old.at = told.at AND old.load_id = told.load_id
),
resources AS (
    DELETE FROM rum_resources AS old USING told
    WHERE old.domain_id = told.domain_id AND old.at = told.at AND old.load_id = told.load_id
),
frames AS (
    DELETE FROM rum_frames AS old USING told
    WHERE old.domain_id = told.domain_id AND old.at = told.at AND old.load_id = told.load_id
),
scripts AS (
    DELETE FROM rum_scripts AS old USING told
    WHERE old.domain_id = told.domain_id AND old.at = told.at AND old.load_id = told.load_id
),
reasons AS (
    DELETE FROM rum_reasons AS old USING told
    WHERE old.domain_id = told.domain_id AND old.at = told.at AND old.load_id = told.load_id
)
DELETE FROM rum_views AS old USING told
WHERE old.domain_id = told.domain_id AND old.at = told.at AND old.load_id = told.load_id
