//! The calls on the pages of operations, in each of their languages: what stands there is run, and answered as it should be; in Rust it
//! is compiled.

use std::{collections::BTreeMap, process::Stdio, time::Duration};

use pharos_http::{operation::Operation, spec::Verb};
use pharos_server::registry::registry;
use serde_json::{Value, json};
use tokio::time::timeout;
use uuid::Uuid;

use crate::{
    fixtures,
    harness::{TestApp, clients, python},
};

/// To compile and to call, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(400);

/// The example of an operation in a language, as its reader copies it.
async fn example(app: &TestApp, operation: &Operation, language: &str) -> String {
    let id = operation.spec.id;
    let page = app
        .request("GET", &format!("//docs/operations/{id}"))
        .send_unchecked()
        .await;
    let page = String::from_utf8_lossy(&page.body).into_owned();
    let (_, rest) = page
        .split_once(&format!("<h3>{language}</h3><pre tabindex=\"0\"><code>"))
        .unwrap_or_else(|| panic!("{id} has no example in {language}"));
    let (code, _) = rest.split_once("</code></pre>").unwrap();
    let code = code
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"");
    code.replace("&amp;", "&")
}

/// The values of what stands in capital letters: those of a list have numbers.
fn variables(template: &str, target: &str) -> BTreeMap<String, String> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let of_path = template
        .split('/')
        .zip(path.split('/'))
        .filter_map(|(name, value)| {
            let name = name.strip_prefix('{')?.strip_suffix('}')?;
            Some((name.to_uppercase(), value.to_owned()))
        });
    let mut all: BTreeMap<String, String> = of_path.collect();
    let pairs: Vec<(&str, &str)> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    for (place, (name, value)) in pairs.iter().enumerate() {
        let is_alone = pairs.iter().filter(|other| other.0 == *name).count() == 1;
        let variable = match *name {
            "url" => "PAGE_URL".to_owned(),
            name if is_alone => name.to_uppercase(),
            name => format!("{}_{}", name.to_uppercase(), place + 1),
        };
        all.insert(variable, (*value).to_owned());
    }
    all
}

/// Has a program run the example of every operation, in the order of the registry, against a server that has what they ask for.
async fn run(language: &str, program: &str, script: &str) {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let (mut examples, mut expected) = (Vec::new(), Vec::new());
    for operation in registry().unwrap().operations() {
        let (id, template) = (operation.spec.id, operation.spec.path);
        let mut code = example(&app, operation, language).await;
        // A second template of the same name is refused.
        if id == "createReportTemplate" {
            let body = operation.shapes.body.as_ref().unwrap();
            let name = body.example["name"].as_str().unwrap();
            assert!(code.contains(name), "{code}");
            code = code.replace(name, &Uuid::now_v7().to_string());
        }
        let target = match operation.spec.method {
            Verb::Delete => app.world.spend(template),
            _ => app.world.target(template),
        };
        examples.push(json!({
            "id": id, "language": language, "code": code, "variables": variables(template, &target),
        }));
        expected.push(json!({ "id": id, "status": operation.spec.success }));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("examples.json");
    std::fs::write(&file, json!(examples).to_string()).unwrap();
    let driver = tokio::process::Command::new(program)
        .arg(clients(script))
        .arg(&file)
        .env("PHAROS_URL", format!("http://{}", app.address))
        .env("PHAROS_API_KEY", &app.world.key.secret)
        .stderr(Stdio::inherit())
        .kill_on_drop(true)
        .output();
    let done = timeout(PATIENCE, driver).await.expect("in time");
    let done = done.unwrap_or_else(|error| panic!("{program}: {error}; run `cargo xtask test`"));
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "its error stands above, or here: {said}");
    let answered: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answered, expected);
}

#[tokio::test]
async fn every_example_in_curl_is_answered() {
    run("curl", &python(), "run_examples.py").await;
}

#[tokio::test]
async fn every_example_in_python_is_answered() {
    run("Python", &python(), "run_examples.py").await;
}

#[tokio::test]
async fn every_example_in_typescript_compiles_and_is_answered() {
    run("TypeScript", "node", "run_examples.mjs").await;
}

/// The calls in Rust, which the build script has made functions of: that this compiles says that they do.
#[expect(dead_code, reason = "nobody calls them")]
#[expect(
    non_snake_case,
    reason = "they are called as their operations, and what a reader fills in has capital letters"
)]
mod rust {
    include!(concat!(env!("OUT_DIR"), "/examples.rs"));
}

#[tokio::test]
async fn every_example_in_rust_is_one_that_compiles() {
    let app = TestApp::start().await;
    let compiled: BTreeMap<&str, &str> = rust::ALL.iter().copied().collect();
    for operation in registry().unwrap().operations() {
        let id = operation.spec.id;
        let shown = example(&app, operation, "Rust").await;
        assert_eq!(
            compiled.get(id),
            Some(&&*shown),
            "{id}: `cargo xtask openapi-check --write` writes the document that they are compiled of"
        );
    }
}
