//! Two client libraries of different languages, unmodified, against the real server: openid-client of npm and authlib
//! of PyPI. They discover, register, send the user to consent, call, refresh and revoke; `tests/clients` holds what they
//! run. The user is played here.

use std::{ffi::OsStr, path::Path, process::Stdio, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
    time::timeout,
};
use url::Url;

use super::{base_url, location, parameter};
use crate::harness::{Request, TestApp, all_scopes};

const PATIENCE: Duration = Duration::from_secs(60);

/// A client that runs, step by step.
pub(crate) struct Library {
    pub(crate) child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Library {
    pub(crate) fn start(program: &str, script: &str, arguments: &[&str]) -> Self {
        Self::start_told(program, script, arguments, &[])
    }

    /// The same, told these variables.
    pub(crate) fn start_told(
        program: &str,
        script: &str,
        arguments: &[&str],
        told: &[(&str, &OsStr)],
    ) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients");
        let mut child = Command::new(program)
            .arg(folder.join(script))
            .args(arguments)
            .envs(told.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{program}: {error}; run `cargo xtask test`"));
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// The next line of its output, as JSON.
    pub(crate) async fn says(&mut self) -> Value {
        let line = timeout(PATIENCE, self.lines.next_line())
            .await
            .expect("in time")
            .unwrap();
        let line = line.expect("the client ended; its error stands above");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    pub(crate) async fn hear(&mut self, line: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        stdin.flush().await.unwrap();
    }

    /// Tells it that there is no more to hear, and waits until it has ended.
    pub(crate) async fn close(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().await.unwrap().success());
    }
}

/// Opens what the client would open in the user's browser, agrees, and gives where the browser comes back to.
async fn agree(app: &TestApp, authorize: &str) -> String {
    let url = Url::parse(authorize).unwrap();
    let target = format!("/{}?{}", url.path(), url.query().unwrap());
    let reply = Request::new(app.address, "GET", &target).send().await;
    let handle = parameter(&location(&reply), "request").unwrap();
    let world = &app.world;
    let server = app.authorization();
    server
        .approve(&handle, world.owner, all_scopes(), vec![world.workspace])
        .await
        .unwrap()
}

async fn walks(program: &str, script: &str) {
    let app = TestApp::start().await;
    let base = base_url(&app);
    for method in ["none", "client_secret_basic", "client_secret_post"] {
        let mut library = Library::start(program, script, &[&base, method]);
        let registered = library.says().await;
        assert_eq!(registered["issuer"], base, "{method}");
        let authorize = library.says().await;
        let back = agree(&app, authorize["authorize"].as_str().unwrap()).await;
        library.hear(&back).await;
        let scope = "read:domains read:overview";
        assert_eq!(
            library.says().await,
            json!({ "scope": scope, "expires_in": 3600 }),
            "{method}"
        );
        assert_eq!(library.says().await, json!({ "called": 200 }), "{method}");
        assert_eq!(
            library.says().await,
            json!({ "refreshed": true, "called": 200 }),
            "{method}"
        );
        assert_eq!(
            library.says().await,
            json!({ "revoked": true, "called": 401 }),
            "{method}"
        );
        assert!(library.child.wait().await.unwrap().success());
    }
}

#[tokio::test]
async fn openid_client_of_npm_walks_the_whole_way() {
    walks("node", "openid_client.mjs").await;
}

#[tokio::test]
async fn authlib_of_pypi_walks_the_whole_way() {
    let python = std::env::var("PHAROS_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    walks(&python, "authlib_client.py").await;
}
