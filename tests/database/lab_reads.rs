//! Reads of lab tests where there are many: each looks at what it answers about, and at little else, whatever it is asked for.
//!
//! One domain has a page that is tested all the time, and one that was tested a few times long ago; another has as many tests of
//! very many pages.

use uuid::Uuid;

use crate::{
    harness::{Fixture, Home},
    list_filters::{List, ROWS, START, settled, two_homes},
};

/// The text of a read.
macro_rules! read {
    ($name:literal) => {
        include_str!(concat!("../../crates/synthetic/pg/src/sql/", $name))
    };
}

/// A place in the middle of a list.
const MIDDLE: &str = "'2026-03-25 10:00Z', '7fffffff-ffff-ffff-ffff-ffffffffffff'";
/// The newest day, which has 720 runs of the page that is tested all the time. A bitmap counts each twice.
const DAY: &str = "'2026-03-30 09:15Z', '2026-03-31 09:15Z'";
const A_DAY: u64 = 1_600;
/// A page of a list, each run of it once more beside what was asked for.
const A_PAGE: u64 = 250;
/// The newest runs of two pages on two profiles, with those before them.
const A_FEW: u64 = 300;

const PAGES: &str = "
    INSERT INTO synthetic_urls (
        id, domain_id, workspace_id, settings, has_basic_auth, has_cookie, created_at, updated_at
    )
    SELECT p.id, p.domain_id, p.workspace_id, jsonb_build_object('url', p.url, 'profile_ids', '{mobile,retired}'::text[]),
        false, false, now(), now()
    FROM (
        SELECT $1::uuid, $3::uuid, $4::uuid, 'https://ada.example/'
        UNION ALL SELECT $2::uuid, $3, $4, 'https://ada.example/rare'
        UNION ALL SELECT md5(n::text)::uuid, $5::uuid, $6::uuid, 'https://eve.example/' || n
        FROM generate_series(0, 199) AS n
    ) AS p (id, domain_id, workspace_id, url)";

/// The oldest ten of the first domain are of its second page and on another profile. One of a hundred failed.
const RUNS: &str = r#"
    INSERT INTO synthetic_runs (
        id, domain_id, url_id, url, profile_id, form_factor, trigger, status, requested_at, finished_at, summary
    )
    SELECT gen_random_uuid(), u.domain_id, u.id, u.settings ->> 'url', t.profile_id, t.form_factor, 'schedule',
        CASE WHEN n % 100 = 0 THEN 'failed' ELSE 'succeeded' END, t.at, t.at + interval '1 minute',
        CASE WHEN n % 100 > 0 THEN
            '{"engine_version": "13.0.1", "figures": {"performance_score": 50, "lcp_ms": 2000, "cls": 0.1}}'::jsonb
        END
    FROM generate_series(1, $3::integer) AS n
    CROSS JOIN LATERAL (
        SELECT '2026-03-31 09:15Z'::timestamptz - n * interval '2 minutes' AS at,
            CASE WHEN n > $3 - 10 THEN 'retired' ELSE 'mobile' END AS profile_id,
            CASE WHEN n > $3 - 10 THEN 'desktop' ELSE 'mobile' END AS form_factor
    ) AS t
    JOIN synthetic_urls AS u ON u.id IN (CASE WHEN n > $3 - 10 THEN $2::uuid ELSE $1::uuid END, md5((n % 200)::text)::uuid)"#;

/// The page of the first domain that is tested all the time, and the other.
async fn lab_tests(fixture: &Fixture, ada: &Home, eve: &Home) -> [Uuid; 2] {
    let [frequent, rare] = [Uuid::now_v7(), Uuid::now_v7()];
    let (ada, eve) = ((ada.domain.0, ada.workspace.0), (eve.domain.0, eve.workspace.0));
    fixture
        .sql
        .execute(PAGES, &[&frequent, &rare, &ada.0, &ada.1, &eve.0, &eve.1])
        .await
        .unwrap();
    fixture
        .sql
        .execute(RUNS, &[&frequent, &rare, &ROWS])
        .await
        .unwrap();
    settled(fixture, "synthetic_urls, synthetic_runs").await;
    [frequent, rare]
}

/// A read of the runs with the questions that are put to it, and how many rows each may look at.
async fn holds(fixture: &Fixture, statement: &str, types: &str, asked: Vec<String>, most: u64) {
    let asked: Vec<(String, u64)> = asked.into_iter().map(|asked| (asked, most)).collect();
    let read = List {
        statement,
        types,
        table: "synthetic_runs",
    };
    read.holds(fixture, &asked).await;
}

/// No page, and each.
fn pages_or_all(pages: [Uuid; 2]) -> [String; 3] {
    let [frequent, rare] = pages.map(|page| format!("'{page}'"));
    ["NULL".to_owned(), frequent, rare]
}

#[tokio::test]
async fn lists_of_lab_tests_go_by_their_indexes() {
    let (fixture, ada, eve) = two_homes().await;
    let pages = lab_tests(&fixture, &ada, &eve).await;
    let domain = ada.domain;
    let (mut of_all, mut of_a_page) = (Vec::new(), Vec::new());
    for after in [START, MIDDLE] {
        let asked = format!("'{domain}', {after}, 51");
        for page in pages {
            of_a_page.push(format!("{asked}, '{page}'"));
        }
        of_all.push(asked);
    }
    let types = "uuid, timestamptz, uuid, bigint";
    holds(&fixture, read!("runs.sql"), types, of_all, A_PAGE).await;
    let types = "uuid, timestamptz, uuid, bigint, uuid";
    holds(&fixture, read!("runs_of_page.sql"), types, of_a_page, A_PAGE).await;

    let asked = pages_or_all(pages).map(|page| format!("'{domain}', {page}"));
    holds(&fixture, read!("pages.sql"), "uuid, uuid", asked.into(), 50).await;

    let (first, page) = (
        "SELECT id FROM synthetic_runs WHERE url_id = $1 LIMIT 1",
        pages[1],
    );
    let run: Uuid = fixture.value(first, &[&page]).await;
    let asked = vec![format!("'{domain}', '{run}'")];
    holds(&fixture, read!("run.sql"), "uuid, uuid", asked, 10).await;
}

#[tokio::test]
async fn series_of_lab_tests_look_at_their_window_under_every_filter() {
    let (fixture, ada, eve) = two_homes().await;
    let pages = lab_tests(&fixture, &ada, &eve).await;
    let domain = ada.domain;
    let mut asked = Vec::new();
    for page in pages_or_all(pages) {
        for profile in ["NULL", "'mobile'", "'retired'"] {
            for unit in ["NULL", "'day'", "'week'"] {
                let metrics = "'{lcp_ms,cls,performance_score}'";
                asked.push(format!(
                    "'{domain}', {DAY}, {page}, {profile}, {unit}, {metrics}, 2001"
                ));
            }
        }
    }
    let types = "uuid, timestamptz, timestamptz, uuid, text, text, text[], bigint";
    holds(&fixture, read!("series.sql"), types, asked, A_DAY).await;

    let mut asked = Vec::new();
    for page in pages_or_all(pages) {
        for profile in ["NULL", "'mobile'", "'retired'"] {
            asked.push(format!("'{domain}', {DAY}, {page}, {profile}, 2000"));
        }
    }
    let types = "uuid, timestamptz, timestamptz, uuid, text, bigint";
    holds(&fixture, read!("engine_changes.sql"), types, asked, A_DAY).await;

    let asked = vec![format!("'{domain}', '2026-03-30 09:15Z'")];
    holds(&fixture, read!("counts.sql"), "uuid, timestamptz", asked, A_DAY).await;
}

#[tokio::test]
async fn how_pages_stand_in_the_lab_is_read_from_their_newest_tests() {
    let (fixture, ada, eve) = two_homes().await;
    lab_tests(&fixture, &ada, &eve).await;
    let domain = ada.domain;
    let moments = ["'2026-03-31 10:00Z'", "'2026-03-20 10:00Z'"];
    let asked = moments.map(|at| format!("'{domain}', {at}"));
    holds(
        &fixture,
        read!("standings.sql"),
        "uuid, timestamptz",
        asked.into(),
        A_FEW,
    )
    .await;

    holds(
        &fixture,
        read!("budgets.sql"),
        "uuid",
        vec![format!("'{domain}'")],
        A_FEW,
    )
    .await;

    let urls = "'{https://ada.example/,https://ada.example/rare}'";
    let asked = ["mobile", "retired"].map(|profile| format!("'{domain}', {urls}, '{profile}'"));
    holds(
        &fixture,
        read!("page_lab.sql"),
        "uuid, text[], text",
        asked.into(),
        A_FEW,
    )
    .await;

    let (mut newest, mut in_a_day) = (Vec::new(), Vec::new());
    for metric in ["lcp_ms", "run_failed", "budget_exceeded"] {
        for url in ["NULL", "https://ada.example/rare"] {
            for form_factor in ["NULL", "desktop"] {
                let rule = format!("'{{{domain}}}', '{{{metric}}}', '{{{url}}}', '{{{form_factor}}}'");
                newest.push(format!("{rule}, '{{NULL}}', '{{NULL}}', '{{true}}', '{{NULL}}'"));
                for as_of in ["NULL", "2026-03-31 09:15Z"] {
                    in_a_day.push(format!(
                        "{rule}, '{{2026-03-30 09:15Z}}', '{{2026-03-31 09:15Z}}', '{{true}}', '{{{as_of}}}'"
                    ));
                }
            }
        }
    }
    let types = "uuid[], text[], text[], text[], timestamptz[], timestamptz[], boolean[], timestamptz[]";
    holds(&fixture, read!("worst.sql"), types, newest, A_FEW).await;
    holds(&fixture, read!("worst.sql"), types, in_a_day, A_DAY).await;
}
