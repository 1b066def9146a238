//! How reads are planned: by the primary keys of the partitions that a window touches, however little PostgreSQL knows.

use crate::{
    filters::{looked_at, most_rows},
    harness::Fixture,
};

/// Views of 200 domains over three months that have partitions, with what they told.
pub(super) const FILL: &str = "
    SELECT ensure_partitions(t, 'month', '2031-01-15Z', 2)
    FROM unnest(ARRAY['rum_views', 'rum_engagements', 'rum_lcp', 'rum_inp', 'rum_cls', 'rum_ttfb',
        'rum_server_timings', 'rum_errors', 'rum_reasons', 'rum_frames', 'rum_scripts', 'rum_resources']::regclass[]) AS t;
    INSERT INTO rum_views (domain_id, at, load_id, page, navigation, was_hidden, lcp_ms, inp_ms, cls, ttfb_ms, device, errors)
    SELECT md5((n % 200)::text)::uuid, at, n, 1 + n % 50, n % 5, false, n % 5000, n % 700, 0.1, 200, n % 3, n % 2
    FROM generate_series(1, 40000) AS n, LATERAL (SELECT '2031-01-01Z'::timestamptz + n * interval '3 minutes' AS at) AS t;
    INSERT INTO rum_engagements (domain_id, at, load_id, visible_ms, interactions, tells_reasons)
    SELECT domain_id, at, load_id, 1000, 1, true FROM rum_views;
    INSERT INTO rum_lcp (domain_id, at, load_id, kind, ttfb_ms) SELECT domain_id, at, load_id, 1, 1 FROM rum_views;
    INSERT INTO rum_inp (domain_id, at, load_id, input_delay_ms) SELECT domain_id, at, load_id, 1 FROM rum_views;
    INSERT INTO rum_cls (domain_id, at, load_id, shift) SELECT domain_id, at, load_id, 0.1 FROM rum_views;
    INSERT INTO rum_errors (domain_id, at, load_id, place, kind) SELECT domain_id, at, load_id, 0, 1 FROM rum_views;
    INSERT INTO rum_reasons (domain_id, at, load_id, place, reason, kind) SELECT domain_id, at, load_id, 0, 1, 0 FROM rum_views;
    INSERT INTO rum_ttfb (domain_id, at, load_id) SELECT domain_id, at, load_id FROM rum_views;
    INSERT INTO rum_server_timings (domain_id, at, load_id, place, name, duration_ms)
    SELECT domain_id, at, load_id, 0, 1, 1 FROM rum_views;
    INSERT INTO rum_frames (domain_id, at, load_id, place, kind, start_ms, duration_ms, blocking_ms)
    SELECT domain_id, at, load_id, 0, 0, 1, 100, 50 FROM rum_views;
    INSERT INTO rum_scripts (domain_id, at, load_id, place, frame, url, duration_ms, forced_layout_ms, is_third_party)
    SELECT domain_id, at, load_id, 0, 0, 1, 10, 1, true FROM rum_views;
    INSERT INTO rum_resources (domain_id, at, load_id, place, url, host, kind, start_ms, duration_ms, is_third_party)
    SELECT domain_id, at, load_id, 0, 1, 1, 6, 1, 10, true FROM rum_views;
    ANALYZE";

/// The parameters that reads of views have in common, and their values: ten days of a domain.
const TYPES: &str =
    "uuid, timestamptz, timestamptz, smallint, smallint, smallint, text, text, text, text, text";
const VALUES: &str = "'cfcd2084-95d5-65ef-66e7-dff9f98764da', '2031-02-03Z', '2031-02-13Z', \
                      NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL";
pub(super) const BANDS: &str = "'{2500,4000,200,500,0.1,0.25,1800,3000,800,1800}'";

/// The text of a read.
macro_rules! read {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../../crates/vitals/pg/src/reads/", $name)),
        )
    };
}

/// The answer of `EXPLAIN` for a read, planned once for all.
pub(super) async fn plan(fixture: &Fixture, sql: &str, types: &str, values: &str) -> String {
    let prepare = format!("PREPARE read ({types}) AS {sql}; SET plan_cache_mode = force_generic_plan");
    fixture.sql.batch_execute(&prepare).await.unwrap();
    let explain = format!("EXPLAIN (ANALYZE, COSTS off, TIMING off) EXECUTE read ({values})");
    let rows = fixture.sql.query(&explain, &[]).await.unwrap();
    let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    fixture
        .sql
        .batch_execute("DEALLOCATE read; RESET plan_cache_mode")
        .await
        .unwrap();
    lines.join("\n")
}

#[tokio::test]
async fn reads_go_by_the_primary_keys_of_the_months_that_they_are_about() {
    let fixture = Fixture::new().await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    let bands = format!("double precision[] = {BANDS}");
    let reads: [((&str, &str), &[&str]); 6] = [
        (
            read!("series_counts.sql"),
            &["boolean = true", "text = 'day'", &bands],
        ),
        (
            read!("series_histograms.sql"),
            &[
                "boolean = true",
                "text = 'day'",
                "double precision = 0.00001",
                "double precision = 1.0199",
                "integer = 75",
            ],
        ),
        (
            read!("series_percentiles.sql"),
            &["text = 'hour'", "integer = 75"],
        ),
        (
            read!("distribution_counts.sql"),
            &[
                "boolean = true",
                "smallint = 0",
                "double precision = 0.00001",
                "double precision = 1.0199",
            ],
        ),
        (
            read!("views.sql"),
            &["timestamptz = '2031-02-12Z'", "bigint = 1", "bigint = 51"],
        ),
        (
            read!("errors/detail.sql"),
            &[
                "double precision = 0.75",
                "bigint = 10",
                "uuid = 'cfcd2084-95d5-65ef-66e7-dff9f98764da'",
                "text[] = '{window}'",
            ],
        ),
    ];
    for ((name, sql), own) in reads {
        let own: Vec<(&str, &str)> = own.iter().map(|own| own.split_once(" = ").unwrap()).collect();
        let types: Vec<&str> = [TYPES]
            .into_iter()
            .chain(own.iter().map(|(own, _)| *own))
            .collect();
        let values: Vec<&str> = [VALUES]
            .into_iter()
            .chain(own.iter().map(|(_, own)| *own))
            .collect();
        let plan = plan(&fixture, sql, &types.join(", "), &values.join(", ")).await;
        assert_by_index(&plan, name);
    }
    for ((name, sql), own_types, own) in reads_of_chosen_views() {
        let (types, values) = (format!("{TYPES}, {own_types}"), format!("{VALUES}, {own}"));
        assert_by_index(&plan(&fixture, sql, &types, &values).await, name);
    }
    let (name, impact) = read!("impact.sql");
    let types = "uuid, timestamptz, timestamptz, double precision[], smallint, integer, bigint, text";
    let values = format!(
        "'cfcd2084-95d5-65ef-66e7-dff9f98764da', '2031-02-03Z', '2031-02-13Z', {BANDS}, NULL, 75, 1001, 'img$'"
    );
    let plan = plan(&fixture, impact, types, &values).await;
    assert_by_index(&plan, name);
}

/// Reads go by an index into the partitions of the window, and into no other.
pub(super) fn assert_by_index(plan: &str, of: &str) {
    for line in plan
        .lines()
        .filter(|line| line.contains(" on rum_") && line.contains("_2031"))
    {
        assert!(!line.contains("Seq Scan"), "{of}: {line}\n{plan}");
        assert!(
            line.contains("_2031_02") || line.contains("never executed"),
            "{of}: {line}\n{plan}"
        );
    }
    assert!(
        plan.contains("rum_views_2031_02"),
        "{of}: nothing is read\n{plan}"
    );
}

/// Roll-ups of 200 domains, of which one has progress to go by: forty days of it are long over.
const ROLLED: &str = "
    INSERT INTO rum_progress (domain_id, first_at, last_at) SELECT id, '2020-01-01Z', '2031-03-01Z' FROM domains;
    INSERT INTO rum_daily
    SELECT o.id, date '2031-01-01' + day, 0, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9
    FROM generate_series(0, 39) AS day, (SELECT id FROM domains UNION ALL
        SELECT md5(n::text)::uuid FROM generate_series(1, 199) AS n) AS o;
    INSERT INTO rum_daily
    SELECT d.domain_id, d.day - 4000, d.device, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9
    FROM rum_daily AS d JOIN domains ON id = d.domain_id;
    INSERT INTO rum_hist
    SELECT d.domain_id, metric, d.day, 0, 1, 9 FROM rum_daily AS d, generate_series(0, 4) AS metric;
    ANALYZE";

#[tokio::test]
async fn roll_ups_that_are_old_are_found_by_their_primary_keys() {
    let fixture = Fixture::new().await;
    fixture.home("ada").await;
    fixture.sql.batch_execute(ROLLED).await.unwrap();
    for (table, forget, types, values) in [
        (
            "rum_daily",
            include_str!("../../../crates/vitals/pg/src/rollups/forget_daily.sql"),
            "timestamptz, text",
            "'2031-03-01Z', '16 months'",
        ),
        (
            "rum_hist",
            include_str!("../../../crates/vitals/pg/src/rollups/forget_histograms.sql"),
            "timestamptz, text, smallint[]",
            "'2031-03-01Z', '16 months', '{0,1,2,3,4}'",
        ),
    ] {
        let plan = plan(&fixture, forget, types, values).await;
        assert!(plan.contains(&format!("{table}_pkey")), "{plan}");
        assert!(!plan.contains(&format!("Seq Scan on {table}")), "{plan}");
        let left: i64 = fixture
            .value(
                &format!("SELECT count(*) FROM {table} WHERE day < '2031-01-01'"),
                &[],
            )
            .await;
        assert_eq!(left, 0, "{table}");
    }
}

/// However many filters there are, the views of the domain within the window are looked at, once or twice, and no others.
#[tokio::test]
async fn views_are_found_by_every_combination_of_their_filters() {
    let fixture = Fixture::new().await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    let filters = [
        "1::smallint",
        "2::smallint",
        "0::smallint",
        "'DE'",
        "'Chrome'",
        "'Windows'",
        "'https://ada.example/'",
        "'https://ada.example/a'",
    ];
    let of_errors = "double precision, bigint, bigint, boolean, smallint, smallint, text[]";
    for ((name, sql), own_types, own) in [
        (
            read!("slices.sql"),
            "double precision[], smallint, integer, bigint",
            format!("{BANDS}, 1, 75, 10"),
        ),
        (
            read!("pages.sql"),
            "double precision[], integer, smallint, double precision, text, boolean, double precision, text, bigint",
            format!("{BANDS}, 75, 1, -1, NULL, false, NULL, NULL, 51"),
        ),
        (
            read!("views.sql"),
            "timestamptz, bigint, bigint",
            "'2031-02-12Z', 1, 51".to_owned(),
        ),
        (
            read!("errors/list.sql"),
            of_errors,
            "0.75, 10, 51, NULL, NULL, 0, '{window}'".to_owned(),
        ),
        (
            read!("errors/list.sql"),
            of_errors,
            "0.75, 10, 51, true, 1, 0, '{window}'".to_owned(),
        ),
    ] {
        let prepare = format!("PREPARE page ({TYPES}, {own_types}) AS {sql}");
        fixture.sql.batch_execute(&prepare).await.unwrap();
        for mode in ["force_custom_plan", "force_generic_plan"] {
            let set = format!("SET plan_cache_mode = {mode}");
            fixture.sql.batch_execute(&set).await.unwrap();
            for bits in 0..1_u32 << filters.len() {
                let given = |(place, filter): (usize, &'static str)| {
                    if (bits >> place) & 1 == 1 { filter } else { "NULL" }
                };
                let chosen: Vec<&str> = filters.into_iter().enumerate().map(given).collect();
                let execute = format!(
                    "EXECUTE page ('cfcd2084-95d5-65ef-66e7-dff9f98764da', '2031-02-03Z', '2031-02-13Z', {}, {own})",
                    chosen.join(", ")
                );
                let (rows, plan) = looked_at(&fixture, &execute, "rum_views").await;
                assert_by_index(&plan, name);
                // The domain has 24 of them. A bitmap counts those twice.
                assert!(rows < 100, "{rows} rows, {mode}: {execute}\n{plan}");
            }
        }
        fixture.sql.batch_execute("DEALLOCATE page").await.unwrap();
    }
}

/// A day's worth of views of a domain that PostgreSQL knows nothing of yet, each of a page, an error and a script of its own.
const UNKNOWN: &str = "
    SELECT ensure_partitions(t, 'month', '2031-02-15Z', 1)
    FROM unnest(ARRAY['rum_views', 'rum_engagements', 'rum_lcp', 'rum_inp', 'rum_cls', 'rum_ttfb',
        'rum_server_timings', 'rum_errors', 'rum_reasons', 'rum_frames', 'rum_scripts', 'rum_resources']::regclass[]) AS t;
    DO $$ DECLARE told regclass; BEGIN
        FOR told IN SELECT c.oid FROM pg_class AS c WHERE c.relkind = 'r' AND c.relname LIKE 'rum\\_%' LOOP
            EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', told);
        END LOOP;
    END $$;
    INSERT INTO domains (id, workspace_id, hostname, created_at)
    SELECT 'cfcd2084-95d5-65ef-66e7-dff9f98764da', workspace_id, 'plans.example', created_at FROM domains;
    INSERT INTO rum_texts (id, domain_id, dimension, value, used_on) OVERRIDING SYSTEM VALUE
    SELECT n, 'cfcd2084-95d5-65ef-66e7-dff9f98764da', 0, 'https://host' || n || '.example/' || n, '2031-02-03'
    FROM generate_series(1, 1200) AS n;
    INSERT INTO rum_error_groups (kind, domain_id, message, source, is_handled, filename, causes, is_third_party, is_opaque,
        first_seen_at, last_seen_at)
    SELECT id, domain_id, value, 0, false, value, '{}', true, false, '2031-02-03Z', '2031-02-03Z' FROM rum_texts;
    INSERT INTO rum_views (domain_id, at, load_id, page, navigation, was_hidden, lcp_ms, inp_ms, cls, ttfb_ms, device, errors,
        long_frames)
    SELECT domain_id, '2031-02-03Z'::timestamptz + id * interval '10 minutes', id, id, id % 5, false, id, id, 0.1, 200, 1, 1, 1
    FROM rum_texts;
    INSERT INTO rum_engagements (domain_id, at, load_id, visible_ms, interactions, tells_reasons)
    SELECT domain_id, at, load_id, 1000, 1, true FROM rum_views;
    INSERT INTO rum_lcp (domain_id, at, load_id, element, kind, ttfb_ms) SELECT domain_id, at, load_id, page, 1, 1 FROM rum_views;
    INSERT INTO rum_inp (domain_id, at, load_id, element, script_url, longest_ms)
    SELECT domain_id, at, load_id, page, page, 5 FROM rum_views;
    INSERT INTO rum_cls (domain_id, at, load_id, element, shift) SELECT domain_id, at, load_id, page, 0.1 FROM rum_views;
    INSERT INTO rum_ttfb (domain_id, at, load_id) SELECT domain_id, at, load_id FROM rum_views;
    INSERT INTO rum_server_timings (domain_id, at, load_id, place, name, duration_ms)
    SELECT domain_id, at, load_id, 0, page, 1 FROM rum_views;
    INSERT INTO rum_errors (domain_id, at, load_id, place, kind) SELECT domain_id, at, load_id, 0, page FROM rum_views;
    INSERT INTO rum_reasons (domain_id, at, load_id, place, reason, kind)
    SELECT domain_id, at, load_id, 0, page, 0 FROM rum_views;
    INSERT INTO rum_frames (domain_id, at, load_id, place, kind, start_ms, duration_ms, blocking_ms)
    SELECT domain_id, at, load_id, 0, 0, 1, 100, 50 FROM rum_views;
    INSERT INTO rum_scripts (domain_id, at, load_id, place, frame, url, duration_ms, forced_layout_ms, is_third_party)
    SELECT domain_id, at, load_id, 0, 0, page, 10, 1, true FROM rum_views;
    INSERT INTO rum_resources (domain_id, at, load_id, place, url, host, kind, method, protocol, start_ms, duration_ms,
        is_third_party)
    SELECT domain_id, at, load_id, 0, page, page, 6, 1, page, 1, 10, true FROM rum_views";

/// A read of chosen views: its name and its text, the types of its own parameters, and their values.
type Read = ((&'static str, &'static str), String, String);

/// The reads of chosen views whose own parameters may be those of [`UNKNOWN`].
fn reads_of_chosen_views() -> Vec<Read> {
    let each = |of: &dyn Fn(usize) -> String| {
        let all: Vec<String> = (1..=1200).map(of).collect();
        format!("'{{{}}}'", all.join(","))
    };
    let parties = format!(
        "0.75, 10, 1001, {}, {}, {}, {}",
        each(&|n| n.to_string()),
        each(&|n| format!("host{n}.example")),
        each(&|n| format!("party{n}")),
        each(&|_| "other".to_owned()),
    );
    let listed = "double precision, bigint, bigint";
    let whole = "double precision, bigint, text[], text[]";
    let (loads, urls) = (
        each(&|n| n.to_string()),
        each(&|n| format!("https://host{n}.example/{n}")),
    );
    let correlated = format!("0, 10000, '{{0,500,1000}}', 7, {loads}");
    let before = format!("{BANDS}, 75, {urls}");
    let figures = format!("true, {BANDS}");
    let sliced = format!("{BANDS}, 1, 75, 10");
    let paged = format!("{BANDS}, 75, 1, -1, NULL, false, NULL, NULL, 1001");
    let read = |types: &str, more: &str| format!("{types}, {more}");
    let reads = [
        (
            read!("errors/list.sql"),
            read(listed, "boolean, smallint, smallint, text[]"),
            "0.75, 10, 1001, NULL, NULL, 0, '{window}'",
        ),
        (
            read!("loads/resources.sql"),
            read(listed, "smallint, text[]"),
            "0.75, 10, 1001, 2, '{a,b,c,d,e,f,g}'",
        ),
        (read!("loads/requests.sql"), listed.to_owned(), "0.75, 10, 1001"),
        (
            read!("loads/long_tasks.sql"),
            read(listed, "smallint, text[], text[]"),
            "0.75, 10, 1001, 0, '{a}', '{a}'",
        ),
        (
            read!("loads/long_tasks.sql"),
            read(listed, "smallint, text[], text[]"),
            "0.75, 10, 1001, 1, '{a}', '{a}'",
        ),
        (
            read!("loads/third_parties.sql"),
            read(listed, "integer[], text[], text[], text[]"),
            parties.as_str(),
        ),
        (
            read!("causes/inp.sql"),
            whole.to_owned(),
            "0.75, 10, '{a,b}', '{a,b}'",
        ),
        (
            read!("causes/ttfb.sql"),
            "double precision, bigint".to_owned(),
            "0.75, 10",
        ),
        (
            read!("causes/lcp.sql"),
            whole.to_owned(),
            "0.75, 10, '{a,b}', '{a,b}'",
        ),
        (
            read!("causes/lcp_elements.sql"),
            read(listed, "text[]"),
            "0.75, 10, 1001, '{a,b}'",
        ),
        (
            read!("causes/inp_elements.sql"),
            read(listed, "double precision, double precision, text[], text[]"),
            "0.75, 10, 1001, 200, 500, '{a,b}', '{a,b}'",
        ),
        (
            read!("causes/inp_scripts.sql"),
            read(listed, "double precision, text[], text[]"),
            "0.75, 10, 1001, 200, '{a,b}', '{a,b}'",
        ),
        (
            read!("causes/cls_elements.sql"),
            read(listed, "text[]"),
            "0.75, 10, 1001, '{a,b}'",
        ),
        (read!("loads/hosts.sql"), listed.to_owned(), "0.75, 10, 1001"),
        (read!("bfcache.sql"), "bigint".to_owned(), "1000"),
        (read!("engagement.sql"), "integer".to_owned(), "10000"),
        (
            read!("correlation.sql"),
            "smallint, integer, double precision[], smallint, bigint[]".to_owned(),
            correlated.as_str(),
        ),
        (
            read!("figures.sql"),
            "boolean, double precision[]".to_owned(),
            figures.as_str(),
        ),
        (read!("percentiles.sql"), "integer".to_owned(), "75"),
        (
            read!("histograms.sql"),
            "boolean, double precision, double precision, integer".to_owned(),
            "true, 0.00001, 1.0199, 75",
        ),
        (
            read!("slices.sql"),
            "double precision[], smallint, integer, bigint".to_owned(),
            sliced.as_str(),
        ),
        (
            read!("pages.sql"),
            "double precision[], integer, smallint, double precision, text, boolean, double precision, text, bigint"
                .to_owned(),
            paged.as_str(),
        ),
        (
            read!("pages_before.sql"),
            "double precision[], integer, text[]".to_owned(),
            before.as_str(),
        ),
        (
            read!("distribution_exact.sql"),
            "smallint, double precision[], double precision[]".to_owned(),
            "0, '{0.5}', '{0,250}'",
        ),
    ];
    let reads = reads.into_iter();
    reads
        .map(|(read, types, own)| (read, types, own.to_owned()))
        .collect()
}

#[tokio::test]
async fn reads_take_no_more_steps_than_there_are_rows_though_nothing_is_known_of_them() {
    let fixture = Fixture::new().await;
    fixture.home("ada").await;
    fixture.sql.batch_execute(UNKNOWN).await.unwrap();
    for ((name, sql), own_types, own) in reads_of_chosen_views() {
        let prepare = format!("PREPARE read ({TYPES}, {own_types}) AS {sql}");
        assert_few_steps(&fixture, name, &prepare, &format!("{VALUES}, {own}")).await;
    }
    let (name, sql) = read!("impact.sql");
    let prepare = format!(
        "PREPARE read (uuid, timestamptz, timestamptz, double precision[], smallint, integer, bigint, text) AS {sql}"
    );
    let values = format!(
        "'cfcd2084-95d5-65ef-66e7-dff9f98764da', '2031-02-03Z', '2031-02-13Z', {BANDS}, NULL, 75, 1001, 'img$'"
    );
    assert_few_steps(&fixture, name, &prepare, &values).await;
}

/// No step of a read of 1,200 views gives or drops many times as many rows.
async fn assert_few_steps(fixture: &Fixture, name: &str, prepare: &str, values: &str) {
    fixture.sql.batch_execute(prepare).await.unwrap();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let set = format!("SET plan_cache_mode = {mode}");
        fixture.sql.batch_execute(&set).await.unwrap();
        let execute = format!("EXECUTE read ({values})");
        let (_, plan) = looked_at(fixture, &execute, "rum_views").await;
        // Errors have ten days each. A loop within a loop comes to more than half a million.
        assert!(most_rows(&plan) < 20_000, "{name}, {mode}\n{plan}");
    }
    fixture.sql.batch_execute("DEALLOCATE read").await.unwrap();
}

#[tokio::test]
async fn protocols_are_looked_up_of_the_listed_resources_alone() {
    let fixture = Fixture::new().await;
    fixture.home("ada").await;
    fixture.sql.batch_execute(UNKNOWN).await.unwrap();
    let (name, sql) = read!("loads/resources.sql");
    let prepare =
        format!("PREPARE read ({TYPES}, double precision, bigint, bigint, smallint, text[]) AS {sql}");
    fixture.sql.batch_execute(&prepare).await.unwrap();
    let execute = format!("EXECUTE read ({VALUES}, 0.75, 10, 20, 2, '{{a,b,c,d,e,f,g}}')");
    let (texts, plan) = looked_at(&fixture, &execute, "rum_texts").await;
    // Each of the 20 has its own address and its own protocol. A bitmap counts those twice.
    assert!((40..=80).contains(&texts), "{name}: {texts} texts\n{plan}");
}
