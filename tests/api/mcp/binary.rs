//! The binary `pharos-mcp`: at standard input, and as more than one server before one Pharos.

use std::{
    fs::{self, File},
    net::{SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    process::Stdio,
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::{Instant, sleep, timeout},
};

use super::{found, message_to, refusal};
use crate::{
    harness::{Node, Request, TestApp, binary, openssl::Vault},
    oauth::Client,
};

const PATIENCE: Duration = Duration::from_secs(60);
const KEY: &str = "PHAROS_API_KEY";

/// The program, which lies beside `pharos`.
fn program() -> PathBuf {
    let program = binary().with_file_name("pharos-mcp");
    assert!(
        program.exists(),
        "{} is missing; run `cargo xtask test`",
        program.display()
    );
    program
}

fn command(app: &TestApp) -> Command {
    command_at(&format!("http://{}", app.address))
}

fn command_at(url: &str) -> Command {
    let mut command = Command::new(program());
    command.args(["--url", url]).env_remove(KEY).kill_on_drop(true);
    command
}

/// A program that is spoken to at its standard input.
struct Conversation {
    child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    asked: u64,
}

impl Conversation {
    /// Starts the program, and greets it.
    async fn begin(program: &mut Command) -> Self {
        let program = program.arg("stdio").stdin(Stdio::piped());
        let mut child = program.stdout(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut conversation = Self {
            child,
            stdin,
            lines,
            asked: 1,
        };
        conversation.say(&initialize()).await;
        let answer = conversation.hear().await;
        assert_eq!(answer["result"]["serverInfo"]["name"], "pharos", "{answer}");
        let begins = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        conversation.say(&begins).await;
        conversation
    }

    async fn say(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.stdin.write_all(line.as_bytes()).await.unwrap();
        self.stdin.flush().await.unwrap();
    }

    async fn hear(&mut self) -> Value {
        let line = timeout(PATIENCE, self.lines.next_line()).await.expect("in time");
        serde_json::from_str(&line.unwrap().expect("a line")).unwrap()
    }

    async fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        self.say(&message).await;
        self.hear().await
    }

    async fn domains(&mut self) -> Value {
        let params = json!({ "name": "domains", "arguments": {} });
        self.ask("tools/call", &params).await
    }

    async fn end(self) {
        let Self {
            mut child,
            stdin,
            lines: _lines,
            ..
        } = self;
        drop(stdin);
        let ended = timeout(PATIENCE, child.wait()).await.expect("it ends");
        assert!(ended.unwrap().success());
    }
}

/// Has a program at standard input list domains, and gives its answer when it has ended.
async fn domains_at_standard_input(program: &mut Command) -> Value {
    let mut conversation = Conversation::begin(program).await;
    let answer = conversation.domains().await;
    conversation.end().await;
    answer
}

/// The first message of a client.
fn initialize() -> Value {
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
}

#[tokio::test]
async fn a_key_of_the_environment_is_heard_at_standard_input() {
    let app = TestApp::start().await;
    let address = format!("http://{}", app.address);
    // The second is the one that clients take that speak HTTP.
    for address in [address.clone(), format!("{address}/mcp")] {
        let mut program = command_at(&address);
        let answer = domains_at_standard_input(program.env(KEY, &app.world.key.secret)).await;
        let domains = &found(&answer["result"])["domains"]["items"];
        assert_eq!(domains[0]["domain"], "shop.example", "{address}");
    }
}

/// A client starts the program once and does not start it anew, perhaps before Pharos is there.
#[tokio::test]
async fn a_program_that_begins_before_pharos_answers_once_pharos_is_there() {
    let app = TestApp::start().await;
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let mut program = command_at(&format!("http://{address}"));
    let mut conversation = Conversation::begin(program.env(KEY, &app.world.key.secret)).await;
    for method in ["tools/list", "resources/list", "prompts/list"] {
        let listed = conversation.ask(method, &json!({})).await;
        assert_eq!(
            listed["error"]["data"]["problem"], "api-away",
            "{method}: {listed}"
        );
    }
    let called = conversation.domains().await;
    assert_eq!(refusal(&called["result"])["problem"], "api-away");

    let relay = tokio::net::TcpListener::bind(address).await.unwrap();
    let pharos = app.address;
    tokio::spawn(async move {
        while let Ok((mut from, _)) = relay.accept().await {
            tokio::spawn(async move {
                let mut to = tokio::net::TcpStream::connect(pharos).await.unwrap();
                let _ = tokio::io::copy_bidirectional(&mut from, &mut to).await;
            });
        }
    });
    let deadline = Instant::now() + PATIENCE;
    let mut answer = conversation.domains().await;
    while answer["result"]["isError"] != false && Instant::now() < deadline {
        sleep(Duration::from_millis(200)).await;
        answer = conversation.domains().await;
    }
    let domains = &found(&answer["result"])["domains"]["items"];
    assert_eq!(domains[0]["domain"], "shop.example");
    conversation.end().await;
}

/// Whatever the level, its log has no credential of a caller, accepted or refused, nor the secret that it shares with the API.
#[tokio::test]
async fn its_own_log_has_no_credential_even_where_everything_is_logged() {
    let app = TestApp::start().await;
    let resource = format!("http://{}/mcp", app.address);
    let tokens = Client::register(&app).await.tokens_for(&resource).await;
    let refused = format!("{}x", tokens.access);
    let (key, token) = (app.world.key.secret.as_str(), tokens.access.as_str());
    let log = tempfile::NamedTempFile::new().unwrap();
    let to_log = || Stdio::from(File::options().append(true).open(log.path()).unwrap());
    let logged = || fs::read_to_string(log.path()).unwrap();

    let secret = "shared-with-the-api-and-told-to-nobody";
    let arguments = ["--log", "trace", "--secret", secret];
    let (mut server, address) = serve(&app, &resource, &arguments, to_log()).await;
    let called = json!({ "name": "domains", "arguments": {} });
    for (credential, status) in [(key, 200), (token, 200), (refused.as_str(), 401)] {
        for (method, params) in [("tools/call", &called), ("tools/list", &json!({}))] {
            let request = message_to(address, method, params);
            let request = request.header("authorization", format!("Bearer {credential}"));
            assert_eq!(request.send_unchecked().await.status, status, "{method}");
        }
    }
    server.kill().await.unwrap();
    let over_http = logged().lines().count();
    assert!(over_http > 10, "something is logged: {}", logged());

    let at_finest = || {
        let mut command = command(&app);
        command.args(["--log", "trace"]).stderr(to_log());
        command
    };
    let answer = domains_at_standard_input(at_finest().env(KEY, key)).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let accepted = logged().lines().count();
    assert!(accepted > over_http, "something is logged: {}", logged());
    let mut unheard = at_finest();
    unheard.arg("stdio").env(KEY, &refused);
    let mut child = unheard
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let line = format!("{}\n", initialize());
    stdin.write_all(line.as_bytes()).await.unwrap();
    drop(stdin);
    let ended = timeout(PATIENCE, child.wait()).await.expect("it ends");
    assert!(!ended.unwrap().success());
    let text = logged();
    assert!(text.lines().count() > accepted, "something is logged: {text}");
    let signature = token.rsplit('.').next().unwrap();
    for credential in [key, token, signature, secret] {
        assert!(!text.contains(credential), "{text}");
    }
}

#[tokio::test]
async fn without_a_key_standard_input_is_not_heard() {
    let app = TestApp::start().await;
    for key in [None, Some("")] {
        let mut command = command(&app);
        if let Some(key) = key {
            command.env(KEY, key);
        }
        let output = command.arg("stdio").output().await.unwrap();
        assert!(!output.status.success());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(&format!("{KEY} is not set")), "{said}");
    }
}

/// Starts a server with these arguments too, and waits until it listens.
async fn serve(app: &TestApp, resource: &str, arguments: &[&str], log: Stdio) -> (Child, SocketAddr) {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    drop(socket);
    let child = command(app)
        .args(arguments)
        .args(["--resource", resource, "serve", "--listen", &address.to_string()])
        .stderr(log)
        .spawn()
        .unwrap();
    let deadline = Instant::now() + PATIENCE;
    while TcpStream::connect(address).is_err() {
        assert!(Instant::now() < deadline, "pharos-mcp does not listen");
        sleep(Duration::from_millis(20)).await;
    }
    (child, address)
}

/// Whatever a client asks next, it may ask another of them.
#[tokio::test]
async fn any_number_of_servers_answers_as_one() {
    let app = TestApp::start().await;
    let resource = format!("http://{}/mcp", app.address);
    let (_one, first) = serve(&app, &resource, &[], Stdio::inherit()).await;
    let (_other, second) = serve(&app, &resource, &[], Stdio::inherit()).await;
    let key = &app.world.key;
    let initialize = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" },
    });
    for (first, second) in [(first, second), (second, first)] {
        let begun = message_to(first, "initialize", &initialize).key(key);
        begun.send_unchecked().await.ok();
        let params = json!({ "name": "domains", "arguments": {} });
        let called = message_to(second, "tools/call", &params).key(key);
        let answer = called.send_unchecked().await.ok();
        let domains = &found(&answer["result"])["domains"]["items"];
        assert_eq!(domains[0]["domain"], "shop.example");

        let stranger = message_to(first, "tools/list", &json!({})).send_unchecked().await;
        assert_eq!(stranger.status, 401);
        let hint = stranger.header("www-authenticate").unwrap();
        assert!(
            hint.contains("/.well-known/oauth-protected-resource/mcp"),
            "{hint}"
        );
        let metadata = Request::new(first, "GET", "//.well-known/oauth-protected-resource/mcp");
        assert_eq!(metadata.send_unchecked().await.ok()["resource"], resource);
    }
}

/// Whoever asks is answered all the same, and told so.
#[tokio::test]
async fn an_api_that_is_away_is_told_to_whoever_asks() {
    let app = TestApp::start().await;
    let resource = format!("http://{}/mcp", app.address);
    let (_server, address) = serve(
        &app,
        &resource,
        &["--api-url", "http://127.0.0.1:9"],
        Stdio::inherit(),
    )
    .await;
    let ask = async |method: &str, params: Value| {
        let request = message_to(address, method, &params).key(&app.world.key);
        request.send_unchecked().await.json()
    };
    let listed = ask("tools/list", json!({})).await;
    assert_eq!(listed["error"]["data"]["problem"], "api-away", "{listed}");
    let called = ask("tools/call", json!({ "name": "domains", "arguments": {} })).await;
    let refused = refusal(&called["result"]);
    assert_eq!(refused["problem"], "api-away", "{refused}");
    assert!(refused["what_to_do"].is_string(), "{refused}");
    // Nobody is answered whom the API did not judge, also where the answer would be the same for all.
    for method in ["ping", "server/none"] {
        let request = message_to(address, method, &json!({}));
        let unheard = request.header("authorization", "Bearer svc_dev_0");
        let reply = unheard.send_unchecked().await;
        assert_eq!(reply.status, 503, "{method}: {}", reply.json());
        let told = reply.json();
        assert_eq!(told["error"]["data"]["problem"], "api-away", "{method}: {told}");
        assert_eq!(told["id"], 1, "{method}: {told}");
    }
}

/// The certificate of Pharos is by an authority of one's own.
#[tokio::test(flavor = "multi_thread")]
async fn an_api_behind_a_private_authority_is_reached_with_a_file_of_it() {
    let app = TestApp::start().await;
    let vault = Vault::new("Root");
    vault.issue("api", "-newkey ec -pkeyopt ec_paramgen_curve:P-256", 90);
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = free.local_addr().unwrap().to_string();
    drop(free);
    let (certificate, key, root) = (
        vault.path("api.pem"),
        vault.path("api.key"),
        vault.path("root.pem"),
    );
    let url = format!("https://{listen}");
    let _node = Node::start(
        &["--roles", "api"],
        &[
            ("PHAROS_DATABASE_URL", app.database.url()),
            ("PHAROS_BASE_URL", "https://shop.example"),
            ("PHAROS_TLS_LISTEN", listen.as_str()),
            ("PHAROS_TLS_CERTIFICATE", certificate.as_str()),
            ("PHAROS_TLS_KEY", key.as_str()),
        ],
    );
    let resource = format!("{url}/mcp");
    let ask = async |address: SocketAddr| {
        let params = json!({ "name": "domains", "arguments": {} });
        let request = message_to(address, "tools/call", &params).key(&app.world.key);
        request.send_unchecked().await.json()["result"].clone()
    };
    let log = vault.path("log");
    let arguments = ["--api-url", url.as_str()];
    let (_unsure, address) = serve(&app, &resource, &arguments, File::create(&log).unwrap().into()).await;
    assert_eq!(refusal(&ask(address).await)["problem"], "api-away");
    let said = fs::read_to_string(&log).unwrap();
    assert!(said.contains("UnknownIssuer"), "{said}");

    let arguments = ["--api-url", url.as_str(), "--ca-file", root.as_str()];
    let (_sure, address) = serve(&app, &resource, &arguments, Stdio::inherit()).await;
    let result = ask(address).await;
    assert_eq!(found(&result)["domains"]["items"][0]["domain"], "shop.example");
}

#[tokio::test]
async fn what_is_no_address_and_no_authority_is_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    fs::write(&empty, "").unwrap();
    for (option, value) in [
        ("--url", "pharos.example"),
        ("--url", "ftp://pharos.example"),
        ("--api-url", "https://"),
        ("--ca-file", "/nowhere/root.pem"),
        ("--ca-file", empty.to_str().unwrap()),
    ] {
        let output = Command::new(program())
            .args([option, value, "stdio"])
            .env(KEY, "svc_dev_x")
            .stdin(Stdio::null())
            .output()
            .await
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && said.contains(option),
            "{option} {value}: {said}"
        );
    }
}

/// The API takes no shorter one, and neither says which it was.
#[tokio::test]
async fn a_short_secret_is_refused_at_the_start_and_a_misspelt_variable_is_told() {
    let output = Command::new(program())
        .args(["--url", "http://127.0.0.1:9", "stdio"])
        .env(KEY, "svc_dev_x")
        .env("PHAROS_MCP_SECRET", "hunter2")
        .env("PHAROS_ULR", "https://pharos.example")
        .stdin(Stdio::null())
        .output()
        .await
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("PHAROS_MCP_SECRET"),
        "{said}"
    );
    assert!(!said.contains("hunter2"), "{said}");
    assert!(said.contains("perhaps PHAROS_URL is meant"), "{said}");
}
