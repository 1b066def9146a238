//! Two schedulers as processes of their own, each for a region.

use std::time::{Duration, Instant};

use pharos_uptime::history::RegionPlace;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::path;
use crate::harness::{
    Node, Request, TestApp,
    openssl::{TlsSite, Vault},
};

const FRANKFURT: &str = "eu-central";
const ASHBURN: &str = "us-east";

/// The world's site, over TLS, checked from both regions every three seconds by nodes that share a database.
struct Watched {
    app: TestApp,
    vault: Vault,
    site: TlsSite,
    api: Node,
}

impl Watched {
    async fn start() -> Self {
        let app = TestApp::start().await;
        let vault = Vault::new("Test-Root");
        vault.issue("site", "-newkey ec -pkeyopt ec_paramgen_curve:P-256", 90);
        let site = TlsSite::start(&vault, "site", &[]);
        for region in [FRANKFURT, ASHBURN] {
            let place = RegionPlace::unnamed(region);
            app.stores
                .schedule
                .register_region(&place, app.now())
                .await
                .unwrap();
        }
        let regions = json!({ "regions": [FRANKFURT, ASHBURN] });
        let created = app.put(&path(&app, "config"), &app.world.key, &regions);
        created.send().await.ok();
        // No caller may name these: a site on this machine, and an interval that a test has time for.
        let settings = json!({
            "url": format!("https://127.0.0.1:{}/page", site.port),
            "interval_seconds": 3,
            "timeout_seconds": 2,
        });
        app.sql(&format!(
            "UPDATE uptime_monitors SET settings = settings || '{settings}'"
        ))
        .await;
        let api = Node::start(
            &["--roles", "api"],
            &[("PHAROS_DATABASE_URL", app.database.url())],
        );
        Self {
            app,
            vault,
            site,
            api,
        }
    }

    /// A scheduler whose region is described by its configuration.
    fn scheduler(&self, region: &str, described: &[(&str, &str)]) -> Node {
        let common = [
            ("PHAROS_DATABASE_URL", self.app.database.url()),
            ("PHAROS_PROBE_NETWORKS", "[\"127.0.0.0/8\"]"),
            ("PHAROS_REGION", region),
        ];
        Node::start(&["--roles", "scheduler"], &[&common, described].concat())
    }

    async fn read(&self, rest: &str) -> Value {
        let read = Request::new(self.api.address, "GET", &path(&self.app, rest));
        read.key(&self.app.world.key).send().await.ok()
    }

    /// The region over so many days: an answer is kept for a minute, and one over other days is another.
    async fn region(&self, key: &str, days: u32) -> Value {
        let found = self.read(&format!("regions?period_days={days}")).await;
        let items = found["items"].as_array().unwrap();
        assert_eq!(items.len(), 2, "{found}");
        items.iter().find(|item| item["region"] == key).unwrap().clone()
    }

    /// Waits until a query says `t`.
    async fn until(&self, query: &str) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while self.app.sql(query).await[0][0].as_deref() != Some("t") {
            assert!(Instant::now() < deadline, "not yet: {query}");
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits until a region has made so many checks with that outcome.
    async fn checked(&self, region: &str, outcome: &str, times: u32) {
        self.until(&format!(
            "SELECT count(*) >= {times} FROM uptime_checks WHERE region = '{region}' AND outcome = '{outcome}'"
        ))
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_region_is_shown_with_what_its_own_process_saw_until_that_is_killed() {
    let watched = Watched::start().await;
    let roots = watched.vault.path("root.pem");
    let frankfurt = [
        ("PHAROS_PROBE_ROOTS", roots.as_str()),
        ("PHAROS_REGION_NAME", "Frankfurt"),
        ("PHAROS_REGION_CONTINENT", "Europe"),
        ("PHAROS_REGION_COUNTRY", "DE"),
    ];
    let ashburn = [
        ("PHAROS_PROBE_ROOTS", roots.as_str()),
        ("PHAROS_REGION_NAME", "Ashburn"),
        ("PHAROS_REGION_CONTINENT", "North America"),
        ("PHAROS_REGION_COUNTRY", "US"),
    ];
    let _staying = watched.scheduler(FRANKFURT, &frankfurt);
    let killed = watched.scheduler(ASHBURN, &ashburn);
    for region in [FRANKFURT, ASHBURN] {
        watched.checked(region, "up", 2).await;
    }
    for (key, [name, continent, country]) in [
        (FRANKFURT, ["Frankfurt", "Europe", "DE"]),
        (ASHBURN, ["Ashburn", "North America", "US"]),
    ] {
        let region = watched.region(key, 2).await;
        let said = ["name", "continent", "country"].map(|member| region[member].as_str().unwrap());
        assert_eq!(said, [name, continent, country]);
        assert_eq!(
            (&region["active"], &region["last_outcome"]),
            (&json!(true), &json!("up"))
        );
        assert!(region["checks_total"].as_u64().unwrap() >= 2, "{region}");
        assert_eq!(region["uptime_pct"], 100.0, "{region}");
    }

    killed.signal("KILL");
    assert_eq!(killed.end(Duration::from_secs(30)), None);
    let last = watched.region(ASHBURN, 3).await;
    watched
        .until(&format!(
            "SELECT now() - max(checked_at) > '6 s' FROM uptime_checks WHERE region = '{ASHBURN}'"
        ))
        .await;
    let (silent, working) = (
        watched.region(ASHBURN, 4).await,
        watched.region(FRANKFURT, 4).await,
    );
    assert_eq!(
        (&silent["active"], &working["active"]),
        (&json!(false), &json!(true))
    );
    // Its findings and its name are kept.
    for member in ["name", "checks_total", "last_check_at", "last_outcome"] {
        assert_eq!(silent[member], last[member], "{member}");
    }
    assert!(silent["last_check_at"].as_str() < working["last_check_at"].as_str());
    assert_eq!(watched.read("status").await["state"], "up");
}

/// One of the two does not trust the site's authority, so it alone sees the site down.
#[tokio::test(flavor = "multi_thread")]
async fn a_site_that_is_down_for_one_of_two_regions_is_not_down() {
    let mut watched = Watched::start().await;
    let roots = watched.vault.path("root.pem");
    let _trusting = watched.scheduler(FRANKFURT, &[("PHAROS_PROBE_ROOTS", &roots)]);
    let _wary = watched.scheduler(ASHBURN, &[]);
    watched.checked(ASHBURN, "down", 3).await;
    watched.checked(FRANKFURT, "up", 3).await;
    assert_eq!(watched.read("incidents").await["items"], json!([]));
    let status = watched.read("status").await;
    assert_eq!(status["state"], "up", "{status}");
    let mut seen: Vec<(&str, &str)> = status["regions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|region| {
            (
                region["region"].as_str().unwrap(),
                region["state"].as_str().unwrap(),
            )
        })
        .collect();
    seen.sort_unstable();
    assert_eq!(seen, [(FRANKFURT, "up"), (ASHBURN, "down")]);
    let refusing = watched.region(ASHBURN, 2).await;
    assert_eq!(
        (&refusing["uptime_pct"], &refusing["last_outcome"]),
        (&json!(0.0), &json!("down"))
    );

    // The same with a site that is gone is an incident of both.
    watched.site.end();
    watched.until("SELECT count(*) > 0 FROM uptime_incidents").await;
    let listed = watched.read("incidents?status=open").await;
    let mut affected: Vec<&str> = listed["items"][0]["regions_affected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|region| region.as_str().unwrap())
        .collect();
    affected.sort_unstable();
    assert_eq!(affected, [FRANKFURT, ASHBURN]);
}
