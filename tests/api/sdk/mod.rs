//! The SDKs in `sdk/`, built as they are published: their types at their strictest, their own tests, and the examples of their
//! guide against a real server. `tests/clients` holds those.

mod faults;

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{process::Command, time::timeout};

use self::faults::{Fault, before};
use crate::{
    analytics::{reports::worker, told},
    harness::{clients, python},
};

/// To build, to check or to call, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(400);

fn sdk(path: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../sdk", path].iter().collect()
}

/// Runs a program, and returns what it said.
async fn run(command: &mut Command) -> String {
    let done = timeout(
        PATIENCE,
        command.stderr(Stdio::inherit()).kill_on_drop(true).output(),
    )
    .await
    .expect("in time")
    .unwrap_or_else(|error| panic!("{command:?}: {error}; run `cargo xtask test`"));
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "its error stands above, or here: {said}");
    said
}

fn node(script: impl AsRef<Path>) -> Command {
    let mut command = Command::new("node");
    command.arg(script.as_ref());
    command
}

/// A Python that finds the SDK, run with these arguments.
fn with_sdk(arguments: &str) -> Command {
    let mut command = Command::new(python());
    command
        .args(arguments.split(' '))
        .current_dir(sdk("python"))
        .env("PYTHONPATH", sdk("python/src"))
        .env("MYPYPATH", sdk("python/src"));
    command
}

/// The first example of an SDK's README, in a file.
fn first_example(language: &str, file: &Path) {
    let readme = std::fs::read_to_string(sdk(&format!("{language}/README.md"))).unwrap();
    let mut blocks = readme.split("```").skip(1).step_by(2);
    let block = blocks.find(|block| !block.starts_with("sh\n")).unwrap();
    let (_, code) = block.split_once('\n').unwrap();
    std::fs::write(file, code).unwrap();
}

/// Has the examples of the guide call a server that has what they ask for, and then the first one of the README.
async fn calls(mut examples: Command, mut first: Command) {
    let app = told().await;
    let _worker = worker(&app).await;
    let base = |address| format!("http://{address}");
    let variables = [
        ("PHAROS_URL", base(app.address)),
        ("PHAROS_API_KEY", app.world.key.secret.clone()),
    ];
    examples
        .arg(app.world.domain.to_string())
        .arg(base(before(app.address, Fault::Busy).await))
        .arg(base(before(app.address, Fault::Cut).await))
        .envs(variables.clone());
    let said = run(&mut examples).await;
    let lines: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        lines,
        [
            json!({ "domain": "shop.example" }),
            json!({ "interval": 300 }),
            json!({ "has_more": true, "thresholds": [2, 3, 4], "pages": 3 }),
            json!({ "missing": 404, "help": "incident-not-found", "request": true }),
            json!({ "refused": "invalid-credential" }),
            json!({ "attempts": [429, 200], "waited": true }),
            json!({ "check": "queued", "replays": [[2, true]] }),
            json!({ "report": "succeeded", "all": true }),
            json!({ "runs": 1 }),
            json!({ "names": ["shop.example"], "scopes": true }),
        ]
    );
    let said = run(first.envs(variables)).await;
    assert!(said.starts_with("shop.example is "), "{said}");
    let runs = "SELECT count(*)::text FROM runs WHERE kind = 'uptime_check'";
    assert_eq!(app.sql(runs).await[0][0].as_deref(), Some("1"));
    // Two answers, of which one was lost: the run is paid once.
    app.reaches(
        "(SELECT sum(cost) = 25 AND count(*) = 2 FROM credit_log WHERE operation = 'runUptimeCheck')",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_typescript_sdk_is_built_and_calls() {
    run(node(sdk("build.mjs")).arg("typescript")).await;
    run(node("--test").arg(sdk("typescript/test/client.test.mjs"))).await;
    // A package finds itself by its name, as it is published, from below its own folder.
    let folder = tempfile::tempdir_in(sdk("typescript")).unwrap();
    let at = |file: &str| folder.path().join(file);
    std::fs::copy(clients("sdk_client.ts"), at("client.ts")).unwrap();
    first_example("typescript", &at("first.ts"));
    let options = "--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noUnusedLocals \
                   --target es2022 --lib es2022,dom --module nodenext client.ts first.ts";
    run(node(sdk("node_modules/typescript/bin/tsc"))
        .args(options.split(' '))
        .current_dir(folder.path()))
    .await;
    calls(node(at("client.js")), node(at("first.js"))).await;
    // Without its scripts, which would build it once more.
    let packed = run(Command::new("npm")
        .args(["pack", "--dry-run", "--json", "--ignore-scripts"])
        .current_dir(sdk("typescript")))
    .await;
    for file in [
        "dist/index.js",
        "dist/generated/schemas.d.ts",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
    ] {
        assert!(packed.contains(&format!("\"{file}\"")), "{file} is not packed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_sdk_is_built_and_calls() {
    run(node(sdk("build.mjs")).arg("python").arg(python())).await;
    let folder = tempfile::tempdir().unwrap();
    let [first, wheels] = ["first.py", "wheels"].map(|name| folder.path().join(name).display().to_string());
    let examples = clients("sdk_client.py").display().to_string();
    first_example("python", first.as_ref());
    run(with_sdk("-m mypy --strict src tests").args([&examples, &first])).await;
    run(&mut with_sdk("-m unittest discover -s tests")).await;
    calls(with_sdk(&examples), with_sdk(&first)).await;
    run(with_sdk("-m pip wheel --quiet --no-deps --no-build-isolation . --wheel-dir").arg(&wheels)).await;
    let wheel = std::fs::read_dir(&wheels).unwrap().next().unwrap().unwrap();
    let packed = run(with_sdk("-m zipfile -l").arg(wheel.path())).await;
    for file in [
        "pharos_monitoring/__init__.py",
        "pharos_monitoring/types.py",
        "pharos_monitoring/_generated/groups.py",
        "pharos_monitoring/py.typed",
        "licenses/LICENSE",
    ] {
        assert!(packed.contains(file), "{file} is not in the wheel");
    }
}
