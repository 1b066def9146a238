WITH engagements AS (
    INSERT INTO rum_engagements SELECT * FROM jsonb_populate_recordset(NULL::rum_engagements, $1 -> 'rum_engagements')
),
lcp AS (
    INSERT INTO rum_lcp SELECT * FROM jsonb_populate_recordset(NULL::rum_lcp, $1 -> 'rum_lcp')
),
inp AS (
    INSERT INTO rum_inp SELECT * FROM jsonb_populate_recordset(NULL::rum_inp, $1 -> 'rum_inp')
),
cls AS (
    INSERT INTO rum_cls SELECT * FROM jsonb_populate_recordset(NULL::rum_cls, $1 -> 'rum_cls')
),
ttfb AS (
    INSERT INTO rum_ttfb SELECT * FROM jsonb_populate_recordset(NULL::rum_ttfb, $1 -> 'rum_ttfb')
),
server_timings AS (
    INSERT INTO rum_server_timings SELECT * FROM jsonb_populate_recordset(NULL::rum_server_timings, $1 -> 'rum_server_timings')
),
errors AS (
    INSERT INTO rum_errors SELECT * FROM jsonb_populate_recordset(NULL::rum_errors, $1 -> 'rum_errors')
),
resources AS (
    INSERT INTO rum_resources SELECT * FROM jsonb_populate_recordset(NULL::rum_resources, $1 -> 'rum_resources')
),
frames AS (
    INSERT INTO rum_frames SELECT * FROM jsonb_populate_recordset(NULL::rum_frames, $1 -> 'rum_frames')
),
scripts AS (
    INSERT INTO rum_scripts SELECT * FROM jsonb_populate_recordset(NULL::rum_scripts, $1 -> 'rum_scripts')
),
reasons AS (
    INSERT INTO rum_reasons SELECT * FROM jsonb_populate_recordset(NULL::rum_reasons, $1 -> 'rum_reasons')
)
INSERT INTO rum_views SELECT * FROM jsonb_populate_recordset(NULL::rum_views, $1 -> 'rum_views')
