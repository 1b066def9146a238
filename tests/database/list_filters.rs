//! Further lists under every combination of their filters: what one filter leaves is found by an index, and whatever is looked at
//! beyond that is of the domain that was asked for.
//!
//! Each time one domain has much that is all alike and a little that is rare, and another has much of what is rare in the first.

use pharos_crawl::sitemap::monitor::pages::ChangeKind;
use pharos_crawl_pg::sitemap::reads::STATEMENTS;
use pharos_domain::{alert_metric::AlertModule, runs::RunStatus};
use pharos_search::indexing::change::{Direction, Field};
use pharos_synthetic::run::Trigger;
use uuid::Uuid;

use crate::{
    filters::looked_at,
    harness::{Fixture, Home},
};

const URLS: &str = include_str!("../../crates/search/pg/src/indexing/list.sql");
const INDEXING_CHANGES: &str = include_str!("../../crates/search/pg/src/indexing/changes.sql");
const LAB_RUNS: &str = include_str!("../../crates/synthetic/pg/src/sql/found_runs.sql");
const LAB_RUNS_OF_PAGE: &str = include_str!("../../crates/synthetic/pg/src/sql/found_runs_of_page.sql");
const WIDE_PULLS: &str = include_str!("../../crates/persistence/src/wide_pulls/list.sql");
const REPORTS: &str = include_str!("../../crates/reporting/pg/src/runs/list.sql");
const REPORTS_OF_TEMPLATE: &str = include_str!("../../crates/reporting/pg/src/runs/of_template.sql");
const ALL_RULES: &str = include_str!("../../crates/alerting/pg/src/rules/list.sql");
const RULES: &str = include_str!("../../crates/alerting/pg/src/rules/found.sql");
const CONFLICTS: &str = include_str!("../../crates/crawl/pg/src/sitemap/conflicts/page.sql");
const SITEMAP_CHANGES: &str = include_str!("../../crates/crawl/pg/src/sitemap/reads/changes.sql");
const SITEMAP_CHANGES_OF_FILE: &str =
    include_str!("../../crates/crawl/pg/src/sitemap/reads/changes_of_file.sql");

/// The beginning of a list that begins with the newest.
pub(crate) const START: &str = "'9999-12-31 23:59:59Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff'";

/// How many rows each of the two domains has.
pub(crate) const ROWS: i32 = 10_000;

/// A database, the domain that is asked for, and the one beside it.
pub(crate) async fn two_homes() -> (Fixture, Home, Home) {
    let fixture = Fixture::new().await;
    let (ada, eve) = (fixture.home("ada").await, fixture.home("eve").await);
    (fixture, ada, eve)
}

/// As upkeep leaves tables: the planner knows them, and their indexes alone can answer.
pub(crate) async fn settled(fixture: &Fixture, tables: &str) {
    let vacuum = format!("VACUUM ANALYZE {tables}");
    let unseen = format!(
        "SELECT coalesce(sum(greatest(relpages - relallvisible, 0)), 0)::bigint FROM pg_class
         WHERE oid = ANY (string_to_array('{tables}', ', ')::regclass[])"
    );
    for _ in 0..50 {
        fixture.sql.batch_execute(&vacuum).await.unwrap();
        // While a session begins, which others do all the time, rows that it might see are not known to be seen by all.
        let left: i64 = fixture.sql.query_one(&unseen, &[]).await.unwrap().get(0);
        if left == 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

/// A statement with what it may be asked.
pub(crate) struct List<'a> {
    pub(crate) statement: &'a str,
    pub(crate) types: &'a str,
    pub(crate) table: &'a str,
}

impl List<'_> {
    /// Each question with how many rows it may look at, planned for itself and planned once for all.
    pub(crate) async fn holds(&self, fixture: &Fixture, asked: &[(String, u64)]) {
        let prepare = format!("PREPARE page ({}) AS {}", self.types, self.statement);
        fixture.sql.batch_execute(&prepare).await.unwrap();
        for mode in ["force_custom_plan", "force_generic_plan"] {
            let set = format!("SET plan_cache_mode = {mode}");
            fixture.sql.batch_execute(&set).await.unwrap();
            for (asked, most) in asked {
                let execute = format!("EXECUTE page ({asked})");
                let (looked_at, plan) = looked_at(fixture, &execute, self.table).await;
                assert!(looked_at < *most, "{looked_at} rows, {mode}: {execute}\n{plan}");
            }
        }
        fixture.sql.batch_execute("DEALLOCATE page").await.unwrap();
    }
}

/// The names as an array of PostgreSQL.
fn array<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    format!("'{{{}}}'", names.join(","))
}

/// Each alone, and all of them together, which is how a statement takes that none is asked for.
fn each_and_all<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let each = names.clone().map(|name| array([name]));
    each.chain([array(names)]).collect()
}

/// The other domain has most of what there is: otherwise to read all of it would be as good.
#[tokio::test]
async fn indexed_urls_are_found_by_every_combination_of_their_filters() {
    let (fixture, ada, eve) = two_homes().await;
    let fill = "
        INSERT INTO indexing_urls (
            id, domain_id, url, source, created_at, inspected_at, verdict, coverage_reason, page_fetch_state, inspection
        )
        SELECT gen_random_uuid(), d.id, 'https://ada.example/' || lpad(n::text, 6, '0'), 'manual', now(), now(),
            CASE WHEN d.id = $1 AND n < $3 THEN 'neutral' ELSE 'pass' END,
            CASE WHEN d.id = $1 AND n < $3 THEN 'not_found' ELSE 'submitted_and_indexed' END,
            CASE WHEN d.id = $1 AND n < $3 THEN 'not_found' ELSE 'successful' END, '{}'
        FROM unnest(ARRAY[$1, $2]::uuid[]) AS d (id)
        CROSS JOIN LATERAL generate_series(1, CASE d.id WHEN $1 THEN 1 ELSE 5 END * $3::integer) AS n";
    let domains = (ada.domain.0, eve.domain.0);
    fixture
        .sql
        .execute(fill, &[&domains.0, &domains.1, &ROWS])
        .await
        .unwrap();
    settled(&fixture, "indexing_urls").await;
    let (mut asked, domain) = (Vec::new(), ada.domain);
    for verdict in ["NULL", "'neutral'", "'pass'", "'partial'"] {
        for reason in ["NULL", "'not_found'", "'submitted_and_indexed'", "'soft_404'"] {
            for state in ["NULL", "'not_found'", "'successful'", "'soft_404'"] {
                for search in ["NULL", "'ADA'", "'nothing has this'"] {
                    let filters = [verdict, reason, state];
                    let given = filters.into_iter().filter(|filter| *filter != "NULL").count();
                    // Several filters are applied to the rows that one of them leaves. A bitmap counts those twice.
                    let most = if given < 2 && search == "NULL" {
                        200
                    } else {
                        20_200
                    };
                    for after in ["''", "'https://ada.example/005000'"] {
                        let values =
                            format!("'{domain}', {after}, {verdict}, {reason}, {state}, {search}, 51");
                        asked.push((values, most));
                    }
                }
            }
        }
    }
    let list = List {
        statement: URLS,
        types: "uuid, text, text, text, text, text, bigint",
        table: "indexing_urls",
    };
    list.holds(&fixture, &asked).await;
}

#[tokio::test]
async fn indexing_changes_are_found_by_every_combination_of_their_filters() {
    let (fixture, ada, eve) = two_homes().await;
    let url = "INSERT INTO indexing_urls (id, domain_id, url, source, created_at)
        SELECT d.id, d.id, 'https://ada.example/', 'manual', now() FROM unnest(ARRAY[$1, $2]::uuid[]) AS d (id)";
    let domains = (ada.domain.0, eve.domain.0);
    fixture.sql.execute(url, &[&domains.0, &domains.1]).await.unwrap();
    let fill = "
        INSERT INTO indexing_changes (id, domain_id, url_id, changed_at, field, direction)
        SELECT gen_random_uuid(), d.id, d.id, '2026-03-31 09:15Z'::timestamptz - n * interval '2 minutes',
            CASE WHEN d.id = $1 AND n < $3 THEN 'verdict' ELSE 'user_canonical' END,
            CASE WHEN d.id = $1 AND n < $3 THEN 'improved' ELSE 'worsened' END
        FROM unnest(ARRAY[$1, $2]::uuid[]) AS d (id), generate_series(1, $3::integer) AS n";
    fixture
        .sql
        .execute(fill, &[&domains.0, &domains.1, &ROWS])
        .await
        .unwrap();
    settled(&fixture, "indexing_urls, indexing_changes").await;
    let mut asked = Vec::new();
    for fields in each_and_all(Field::ALL.iter().map(|field| field.as_str())) {
        for directions in each_and_all(Direction::ALL.iter().map(|direction| direction.as_str())) {
            for after in [
                START,
                "'2026-03-25 10:00Z', '7fffffff-ffff-ffff-ffff-ffffffffffff'",
            ] {
                let window = "'2025-03-31', '2026-04-01'";
                asked.push((
                    format!("'{}', {after}, {window}, {fields}, {directions}, 51", ada.domain),
                    200,
                ));
            }
        }
    }
    let list = List {
        statement: INDEXING_CHANGES,
        types: "uuid, timestamptz, uuid, timestamptz, timestamptz, text[], text[], bigint",
        table: "indexing_changes",
    };
    list.holds(&fixture, &asked).await;
}

/// Two pages, and runs of both: all but the oldest of the first domain are alike.
async fn lab_runs(fixture: &Fixture, ada: &Home, eve: &Home) -> [Uuid; 2] {
    let pages = [Uuid::now_v7(), Uuid::now_v7()];
    let page = "INSERT INTO synthetic_urls (
            id, domain_id, workspace_id, settings, has_basic_auth, has_cookie, created_at, updated_at
        )
        SELECT p.id, $2, $3, '{}', false, false, now(), now() FROM unnest($1::uuid[]) AS p (id)";
    let whose = (ada.domain.0, ada.workspace.0);
    fixture
        .sql
        .execute(page, &[&pages.to_vec(), &whose.0, &whose.1])
        .await
        .unwrap();
    let fill = "
        INSERT INTO synthetic_runs (
            id, domain_id, url_id, url, profile_id, form_factor, trigger, status, requested_at, finished_at, summary
        )
        SELECT gen_random_uuid(), d.id, CASE d.id WHEN $1 THEN ($4::uuid[])[1 + n % 2] END, 'https://ada.example/',
            CASE WHEN d.id = $1 AND n < $3 - 1 THEN 'mobile' ELSE 'retired' END, 'mobile',
            CASE WHEN d.id = $1 AND n < $3 - 1 THEN 'schedule' ELSE 'api' END,
            CASE WHEN d.id = $1 AND n < $3 - 1 THEN 'succeeded' ELSE 'failed' END,
            '2026-03-31 09:15Z'::timestamptz - n * interval '2 minutes', now(), '{}'
        FROM unnest(ARRAY[$1, $2]::uuid[]) AS d (id), generate_series(1, $3::integer) AS n";
    let domains = (ada.domain.0, eve.domain.0);
    fixture
        .sql
        .execute(fill, &[&domains.0, &domains.1, &ROWS, &pages.to_vec()])
        .await
        .unwrap();
    settled(fixture, "synthetic_urls, synthetic_runs").await;
    pages
}

#[tokio::test]
async fn lab_runs_are_found_by_every_combination_of_their_filters() {
    let (fixture, ada, eve) = two_homes().await;
    let pages = lab_runs(&fixture, &ada, &eve).await;
    let mut asked = Vec::new();
    for profile in ["NULL", "'mobile'", "'retired'", "'desktop'"] {
        for statuses in each_and_all(RunStatus::ALL.iter().map(|status| status.as_str())) {
            for triggers in each_and_all(Trigger::ALL.iter().map(|trigger| trigger.as_str())) {
                for after in [
                    START,
                    "'2026-03-25 10:00Z', '7fffffff-ffff-ffff-ffff-ffffffffffff'",
                ] {
                    let values = format!("'{}', {after}, 51, {profile}, {statuses}, {triggers}", ada.domain);
                    // Beside a page the profiles that there are, and each run of the page once more, whole.
                    asked.push((values, 300));
                }
            }
        }
    }
    let types = "uuid, timestamptz, uuid, bigint, text, text[], text[]";
    let list = List {
        statement: LAB_RUNS,
        types,
        table: "synthetic_runs",
    };
    list.holds(&fixture, &asked).await;
    for (values, _) in &mut asked {
        *values = format!("{values}, '{}'", pages[0]);
    }
    let of_page = List {
        statement: LAB_RUNS_OF_PAGE,
        types: &format!("{types}, uuid"),
        table: "synthetic_runs",
    };
    of_page.holds(&fixture, &asked).await;
}

/// Runs of a kind: all but the oldest have succeeded, and their results are kept for a year.
async fn runs(fixture: &Fixture, kind: &str, ada: &Home, eve: &Home) {
    let fill = "
        INSERT INTO runs (
            id, domain_id, kind, status, requested_at, started_at, finished_at, expires_at, requester_kind, credential_id,
            credits_charged
        )
        SELECT gen_random_uuid(), d.id, $4, CASE WHEN d.id = $1 AND n < $3 THEN 'succeeded' ELSE 'failed' END,
            '2026-03-31 09:15Z'::timestamptz - n * interval '2 minutes', '2026-03-31 09:15Z', '2026-03-31 09:15Z',
            CASE WHEN d.id = $1 AND n < $3 THEN '2027-03-31 09:15Z'::timestamptz END, 'api_key', gen_random_uuid(), 0
        FROM unnest(ARRAY[$1, $2]::uuid[]) AS d (id), generate_series(1, $3::integer) AS n";
    let domains = (ada.domain.0, eve.domain.0);
    fixture
        .sql
        .execute(fill, &[&domains.0, &domains.1, &ROWS, &kind])
        .await
        .unwrap();
}

/// No status, and each.
fn statuses() -> Vec<String> {
    let each = RunStatus::ALL.iter().map(|status| format!("'{status}'"));
    each.chain(["NULL".to_owned()]).collect()
}

/// Every status, as lists of runs take them.
fn every_status() -> String {
    array(RunStatus::ALL.iter().map(|status| status.as_str()))
}

#[tokio::test]
async fn wide_pulls_are_found_by_every_combination_of_their_filters() {
    let (fixture, ada, eve) = two_homes().await;
    runs(&fixture, "gsc_report", &ada, &eve).await;
    let fill = "
        INSERT INTO wide_pulls (run_id, report, first_day, last_day, asked)
        SELECT id, CASE WHEN requested_at = min(requested_at) OVER () THEN 'rare' ELSE 'frequent' END,
            '2026-01-01', '2026-01-02', '{}'
        FROM runs";
    fixture.sql.execute(fill, &[]).await.unwrap();
    settled(&fixture, "runs, wide_pulls").await;
    let mut asked = Vec::new();
    for report in ["NULL", "'frequent'", "'rare'", "'none'"] {
        for status in statuses() {
            // The report stands beside the run: a rare one is looked for in the domain's runs of its status.
            let most = if report == "NULL" { 200 } else { 10_200 };
            let values = format!(
                "'{}', {START}, {report}, {status}, '2026-03-31 09:15Z', 51, 'gsc_report', {}",
                ada.domain,
                every_status()
            );
            asked.push((values, most));
        }
    }
    let list = List {
        statement: WIDE_PULLS,
        types: "uuid, timestamptz, uuid, text, text, timestamptz, bigint, text, text[]",
        table: "runs",
    };
    list.holds(&fixture, &asked).await;
}

#[tokio::test]
async fn reports_are_found_by_every_combination_of_their_filters() {
    let (fixture, ada, eve) = two_homes().await;
    runs(&fixture, "report", &ada, &eve).await;
    let [frequent, rare] = [Uuid::now_v7(), Uuid::now_v7()];
    let template = "
        INSERT INTO report_templates (
            id, domain_id, workspace_id, name, name_key, sections, locale, format, default_period, compare_previous, branding,
            requester_kind, credential_id, created_at, updated_at
        )
        SELECT t.id, $2, $3, t.id::text, t.id::text, '{}', 'en', 'pdf', 'last_month', false, '{}', 'api_key',
            gen_random_uuid(), now(), now()
        FROM unnest($1::uuid[]) AS t (id)";
    let whose = (ada.domain.0, ada.workspace.0);
    fixture
        .sql
        .execute(template, &[&vec![frequent, rare], &whose.0, &whose.1])
        .await
        .unwrap();
    let fill = "
        INSERT INTO report_runs (run_id, template_id, template_name, trigger, format, first_day, last_day, ordered)
        SELECT id, CASE WHEN requested_at = min(requested_at) OVER () THEN $2::uuid ELSE $1::uuid END, 'Monthly', 'api', 'pdf',
            '2026-01-01', '2026-01-02', '{}'
        FROM runs";
    fixture.sql.execute(fill, &[&frequent, &rare]).await.unwrap();
    settled(&fixture, "runs, report_runs").await;
    let types = "uuid, timestamptz, uuid, text, timestamptz, bigint";
    let (mut asked, mut of_rare) = (Vec::new(), Vec::new());
    for status in statuses() {
        let values = format!("'{}', {START}, {status}, '2026-03-31 09:15Z', 51", ada.domain);
        of_rare.push((format!("{values}, '{rare}'"), 10));
        asked.push((format!("{values}, {}", every_status()), 200));
    }
    let list = List {
        statement: REPORTS,
        types: &format!("{types}, text[]"),
        table: "runs",
    };
    list.holds(&fixture, &asked).await;
    let of_template = List {
        statement: REPORTS_OF_TEMPLATE,
        types: &format!("{types}, uuid"),
        table: "runs",
    };
    of_template.holds(&fixture, &of_rare).await;
}

#[tokio::test]
async fn rules_of_a_workspace_are_found_by_every_combination_of_their_filters() {
    let (fixture, ada, _) = two_homes().await;
    let fill = "
        WITH made AS (
            INSERT INTO alert_rules (
                id, domain_id, workspace_id, module, metric, operator, threshold, evaluation_window, severity, enabled,
                cooldown_minutes, created_at, updated_at
            )
            SELECT gen_random_uuid(), $1, $2, CASE n WHEN $3 THEN 'robots' ELSE 'uptime' END, 'response_ms', 'gt', 1, 'latest',
                'info', n < $3, 60, '2026-03-31 09:15Z'::timestamptz - n * interval '2 minutes', now()
            FROM generate_series(1, $3::integer) AS n
            RETURNING id, domain_id, workspace_id
        )
        INSERT INTO alert_evaluations (rule_id, domain_id, workspace_id) SELECT id, domain_id, workspace_id FROM made";
    fixture
        .sql
        .execute(fill, &[&ada.domain.0, &ada.workspace.0, &ROWS])
        .await
        .unwrap();
    settled(&fixture, "alert_rules, alert_evaluations").await;
    let mut asked = Vec::new();
    for modules in each_and_all(AlertModule::ALL.iter().map(|module| module.as_str())) {
        for enabled in ["'{true}'", "'{false}'", "'{true,false}'"] {
            for after in [
                START,
                "'2026-03-25 10:00Z', '7fffffff-ffff-ffff-ffff-ffffffffffff'",
            ] {
                asked.push((
                    format!("'{{{}}}', {modules}, {enabled}, {after}, 51", ada.workspace),
                    250,
                ));
            }
        }
    }
    let list = List {
        statement: RULES,
        types: "uuid[], text[], boolean[], timestamptz, uuid, bigint",
        table: "alert_rules",
    };
    list.holds(&fixture, &asked).await;
    let mut all = Vec::new();
    for after in [
        START,
        "'2026-03-25 10:00Z', '7fffffff-ffff-ffff-ffff-ffffffffffff'",
    ] {
        let values = format!("NULL, '{{{}}}', NULL, NULL, {after}, 51", ada.workspace);
        all.push((values, 250));
    }
    for table in ["alert_rules", "alert_evaluations"] {
        let list = List {
            statement: ALL_RULES,
            types: "uuid, uuid[], text, boolean, timestamptz, uuid, bigint",
            table,
        };
        list.holds(&fixture, &all).await;
    }
}

/// The pages of two files and what became of them: all but the oldest of each are alike.
async fn sitemaps(fixture: &Fixture, ada: &Home, eve: &Home) -> [Uuid; 2] {
    let files = [Uuid::now_v7(), Uuid::now_v7()];
    let site = "INSERT INTO sitemap_sites (domain_id, workspace_id, next_check_at) VALUES ($1, $2, now())
        ON CONFLICT DO NOTHING";
    fixture
        .sql
        .execute(site, &[&ada.domain.0, &ada.workspace.0])
        .await
        .unwrap();
    // One file is of each domain.
    let file = "INSERT INTO sitemap_files (id, domain_id, url, url_key, depth, found_at)
        SELECT f.id, f.domain_id, f.id::text, gen_random_uuid(), 1, now()
        FROM unnest($1::uuid[], ARRAY[$2, $3]::uuid[]) AS f (id, domain_id)";
    let domains = (ada.domain.0, eve.domain.0);
    fixture
        .sql
        .execute(file, &[&files.to_vec(), &domains.0, &domains.1])
        .await
        .unwrap();
    let pages = "
        INSERT INTO sitemap_urls (
            file_id, url_key, domain_id, url, images, videos, is_news, first_seen_at, listed_at, missing_since, removed_at
        )
        SELECT f.id, gen_random_uuid(), f.domain_id, 'https://ada.example/' || n, 0, 0, false,
            '2026-03-31 09:15Z'::timestamptz - n * interval '2 minutes', now(), CASE n WHEN $1 THEN now() END,
            CASE n WHEN $1 THEN now() END
        FROM sitemap_files AS f, generate_series(1, $1::integer) AS n";
    fixture.sql.execute(pages, &[&ROWS]).await.unwrap();
    let changes = "
        INSERT INTO sitemap_changes (id, domain_id, changed_at, change, url, file_id)
        SELECT gen_random_uuid(), f.domain_id, '2026-03-31 09:15Z'::timestamptz - n * interval '2 minutes',
            CASE WHEN f.domain_id = $2 AND n < $1 THEN 'added' ELSE 'moved_file' END, 'https://ada.example/', f.id
        FROM sitemap_files AS f, generate_series(1, $1::integer) AS n";
    fixture.sql.execute(changes, &[&ROWS, &domains.0]).await.unwrap();
    settled(fixture, "sitemap_files, sitemap_urls, sitemap_changes").await;
    files
}

#[tokio::test]
async fn changes_of_sitemaps_are_found_by_every_combination_of_their_filters() {
    let (fixture, ada, eve) = two_homes().await;
    let [file, of_eve] = sitemaps(&fixture, &ada, &eve).await;
    let (mut asked, mut of_files) = (Vec::new(), Vec::new());
    for kinds in each_and_all(ChangeKind::ALL.iter().map(|kind| kind.name())) {
        for after in [
            START,
            "'2026-03-25 10:00Z', '7fffffff-ffff-ffff-ffff-ffffffffffff'",
        ] {
            let values = format!("'{}', {after}, 51, {kinds}", ada.domain);
            of_files.extend([file, of_eve].map(|file| (format!("{values}, '{file}'"), 250)));
            asked.push((values, 250));
        }
    }
    let types = "uuid, timestamptz, uuid, bigint, text[]";
    let list = List {
        statement: SITEMAP_CHANGES,
        types,
        table: "sitemap_changes",
    };
    list.holds(&fixture, &asked).await;
    let of_file = List {
        statement: SITEMAP_CHANGES_OF_FILE,
        types: &format!("{types}, uuid"),
        table: "sitemap_changes",
    };
    of_file.holds(&fixture, &of_files).await;
}

/// The pages of the one domain that robots.txt blocks are of one crawler but the oldest, and those of the other of the other.
#[tokio::test]
async fn conflicts_with_robots_txt_are_found_by_the_crawler_that_they_are_of() {
    let (fixture, ada, eve) = two_homes().await;
    sitemaps(&fixture, &ada, &eve).await;
    let fill = "
        INSERT INTO sitemap_conflicts (
            domain_id, crawler, url_key, url, file_id, line, kind, path, first_seen_at, computed_at
        )
        SELECT f.domain_id, CASE WHEN f.domain_id = $2 AND n < $1 THEN 'googlebot' ELSE 'bingbot' END, gen_random_uuid(),
            'https://ada.example/' || n, f.id, 1, 'disallow', '/', '2026-03-31 09:15Z'::timestamptz - n * interval '2 minutes', now()
        FROM sitemap_files AS f, generate_series(1, $1::integer) AS n";
    fixture.sql.execute(fill, &[&ROWS, &ada.domain.0]).await.unwrap();
    settled(&fixture, "sitemap_conflicts, sitemap_files").await;
    let mut asked = Vec::new();
    for crawler in ["googlebot", "bingbot", "gptbot"] {
        for after in [
            START,
            "'2026-03-25 10:00Z', '7fffffff-ffff-ffff-ffff-ffffffffffff'",
        ] {
            asked.push((format!("'{}', '{crawler}', {after}, 51", ada.domain), 200));
        }
    }
    let list = List {
        statement: CONFLICTS,
        types: "uuid, text, timestamptz, uuid, bigint",
        table: "sitemap_conflicts",
    };
    list.holds(&fixture, &asked).await;
}

/// A search for a text has no index: it reads the pages of the domain, or of the file.
#[tokio::test]
async fn pages_of_sitemaps_are_found_by_every_combination_of_their_filters() {
    let (fixture, ada, eve) = two_homes().await;
    let [file, _] = sitemaps(&fixture, &ada, &eve).await;
    for (name, statement) in STATEMENTS {
        let (types, of) = if name.ends_with("file") {
            (", uuid", format!(", '{file}'"))
        } else {
            ("", String::new())
        };
        let mut asked = Vec::new();
        for (search, most) in [("NULL", 500), ("'ADA'", 500), ("'nothing has this'", 10_200)] {
            asked.push((format!("'{}', {START}, {search}, 51{of}", ada.domain), most));
        }
        let list = List {
            statement,
            types: &format!("uuid, timestamptz, uuid, text, bigint{types}"),
            table: "sitemap_urls",
        };
        list.holds(&fixture, &asked).await;
    }
}
