//! The metrics that nodes serve on their admin addresses, read by the parser of Prometheus' own client library.

mod address;
mod background;
mod collection;
mod lab;
mod monitoring;
mod reports;
mod requests;

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use pharos_http::registry::Registry;
use pharos_server::{metrics::families::families, registry::registry};
use serde::Deserialize;
use tokio::{io::AsyncWriteExt, process::Command, time::sleep};

use crate::harness::{Node, Request, TestApp, free_address};

/// All labels that there are. The set of their values is bounded by the program, or by its configuration.
const LABELS: [&str; 15] = [
    "channel",
    "format",
    "kind",
    "le",
    "operation",
    "outcome",
    "pool",
    "problem",
    "region",
    "result",
    "status",
    "step",
    "task",
    "tool",
    "version",
];

/// A node that records, and where it tells.
struct Recording {
    node: Node,
    admin: SocketAddr,
}

impl Recording {
    /// A node on the app's database that may check this machine.
    fn start(app: &TestApp, roles: &str) -> Self {
        Self::start_with(app, roles, &[])
    }

    /// The same with further variables.
    fn start_with(app: &TestApp, roles: &str, further: &[(&str, &str)]) -> Self {
        let admin = free_address();
        let mut environment = vec![
            ("PHAROS_DATABASE_URL", app.database.url()),
            ("PHAROS_PROBE_NETWORKS", "[\"127.0.0.0/8\"]"),
        ];
        environment.extend_from_slice(further);
        let arguments = ["--roles", roles, "--admin-address", &admin.to_string()];
        Self {
            node: Node::start(&arguments, &environment),
            admin,
        }
    }

    fn get(&self, app: &TestApp, path: &str) -> Request {
        Request::new(self.node.address, "GET", path).key(&app.world.key)
    }

    async fn scrape(&self) -> Scrape {
        let deadline = Instant::now() + Duration::from_secs(60);
        let reply = loop {
            let asked = Request::new(self.admin, "GET", "//metrics");
            if let Some(reply) = asked.try_send().await {
                break reply;
            }
            // The node takes its admin address a moment after that of its API.
            assert!(Instant::now() < deadline, "nobody answers on {}", self.admin);
            sleep(Duration::from_millis(20)).await;
        };
        assert_eq!(
            (reply.status, reply.header("content-type")),
            (200, Some("text/plain; version=0.0.4; charset=utf-8"))
        );
        Scrape::read(&reply.body).await
    }

    /// Scrapes until something holds. Sampled figures are renewed every few seconds only.
    async fn until(&self, holds: impl AsyncFn(&Scrape) -> bool) -> Scrape {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let scrape = self.scrape().await;
            if holds(&scrape).await {
                return scrape;
            }
            assert!(Instant::now() < deadline, "not yet: {scrape:#?}");
            sleep(Duration::from_millis(200)).await;
        }
    }
}

#[derive(Debug, Deserialize)]
struct Family {
    name: String,
    r#type: String,
    help: String,
    samples: Vec<(String, BTreeMap<String, String>, Option<f64>)>,
}

/// The metrics of a node at one moment.
#[derive(Debug)]
struct Scrape(Vec<Family>);

impl Scrape {
    async fn read(text: &[u8]) -> Self {
        let python = std::env::var("PHAROS_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let mut reader = Command::new(python)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/read_metrics.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("run `cargo xtask test`");
        let mut input = reader.stdin.take().unwrap();
        input.write_all(text).await.unwrap();
        drop(input);
        let read = reader.wait_with_output().await.unwrap();
        assert!(read.status.success(), "{}", String::from_utf8_lossy(text));
        Self(serde_json::from_slice(&read.stdout).unwrap())
    }

    /// The sum of the samples of that name with these labels, among others; `None` where there is none.
    fn sum(&self, sample: &str, labels: &[(&str, &str)]) -> Option<f64> {
        let samples = self.0.iter().flat_map(|family| &family.samples);
        let found = samples.filter(|(name, of, _)| {
            let has = |(label, value): &(&str, &str)| of.get(*label).is_some_and(|of| of == value);
            name == sample && labels.iter().all(has)
        });
        found
            .map(|(_, _, value)| *value)
            .reduce(|sum, value| Some(sum? + value?))?
    }

    /// Asserts a sum that is there.
    #[track_caller]
    fn is(&self, sample: &str, labels: &[(&str, &str)], want: f64) {
        assert_eq!(self.sum(sample, labels), Some(want), "{sample} {labels:?}");
    }

    /// Every family is described, and has labels of which there are few alone: nothing of a tenant.
    fn is_sound(&self, app: &TestApp) {
        let described = families().unwrap();
        let mut names = BTreeSet::new();
        for family in &self.0 {
            // The parser takes the suffix for a part of the sample.
            let name = match family.r#type.as_str() {
                "counter" => format!("{}_total", family.name),
                _ => family.name.clone(),
            };
            let known = described
                .get(&name)
                .unwrap_or_else(|| panic!("{name} is not described"));
            assert_eq!(
                (known.kind, &known.help),
                (family.r#type.as_str(), &family.help),
                "{name}"
            );
            assert!(!family.samples.is_empty() && names.insert(name), "{family:?}");
        }
        let world = &app.world;
        let secrets = [
            world.workspace.to_string(),
            world.domain.to_string(),
            world.owner.to_string(),
            world.key.id.to_string(),
            world.key.secret.clone(),
            "shop.example".to_owned(),
            "127.0.0.1".to_owned(),
        ];
        let operations = operations(&registry().unwrap());
        for (sample, labels, _) in self.0.iter().flat_map(|family| &family.samples) {
            for (label, value) in labels {
                assert!(LABELS.contains(&label.as_str()), "{sample} has a label {label}");
                assert!(
                    label != "operation" || operations.contains(value.as_str()),
                    "{value}"
                );
                assert!(label != "region" || value == "local", "{value}");
                assert!(
                    !secrets.iter().any(|secret| value.contains(secret)),
                    "{sample} tells {value}"
                );
            }
        }
    }
}

/// The values that the label `operation` may have.
fn operations(registry: &Registry) -> BTreeSet<&'static str> {
    let operations = registry.operations().iter().map(|operation| operation.spec.id);
    let open = registry.open().iter().map(|operation| operation.spec.id);
    operations.chain(open).chain(["none"]).collect()
}
