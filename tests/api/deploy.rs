//! The files of `deploy/`, which operators copy: the programs that they are for take them, and they agree with each other and with
//! what Pharos does.

use std::{
    collections::BTreeSet,
    fs,
    io::{ErrorKind, Write},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use pharos_server::{app::DRAIN, config::Config};
use serde_json::{Value, json};

use crate::harness::{binary, clients, openssl::Vault, python};

const NGINX: &str = include_str!("../../deploy/nginx.conf");
const CADDY: &str = include_str!("../../deploy/Caddyfile");
const COMPOSE: &str = include_str!("../../deploy/compose.yaml");
const CONTAINERFILE: &str = include_str!("../../deploy/Containerfile");
const EXAMPLE: &str = include_str!("../../deploy/example.env");
const IGNORED: &str = include_str!("../../.dockerignore");
/// Where the image and the units have the data.
const DATA: &str = "/var/lib/pharos";
/// Where the image and the units have the program.
const PROGRAM: &str = "/usr/local/bin/pharos";

fn folder(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../deploy")
        .join(below)
}

/// The port that a node listens on unless it is told another.
fn port() -> String {
    Config::default().listen.port().to_string()
}

fn compose() -> Value {
    let mut reader = Command::new(python())
        .arg(clients("read_yaml.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("run `cargo xtask test`");
    reader
        .stdin
        .take()
        .unwrap()
        .write_all(COMPOSE.as_bytes())
        .unwrap();
    let read = reader.wait_with_output().unwrap();
    assert!(read.status.success(), "compose.yaml is no YAML");
    serde_json::from_slice(&read.stdout).unwrap()
}

/// A unit with a key that systemd does not know is started without it. Where there is no systemd nothing can be said.
#[test]
fn systemd_knows_all_that_the_units_say() {
    let copies = tempfile::tempdir().unwrap();
    let mut units = Vec::new();
    for name in ["pharos.service", "pharos-backup.service", "pharos-backup.timer"] {
        let unit = fs::read_to_string(folder("systemd").join(name)).unwrap();
        // It looks whether the program is there.
        let unit = unit.replace(PROGRAM, binary().to_str().unwrap());
        let copy = copies.path().join(name);
        fs::write(&copy, unit).unwrap();
        units.push(copy);
    }
    let programs = fs::read_to_string(folder("systemd/programs.conf")).unwrap();
    for unit in ["pharos.service.d", "pharos-backup.service.d"] {
        let drop_ins = copies.path().join(unit);
        fs::create_dir(&drop_ins).unwrap();
        fs::write(drop_ins.join("programs.conf"), &programs).unwrap();
    }
    let verified = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .args(&units)
        .env("SYSTEMD_UNIT_PATH", format!("{}:", copies.path().display()))
        .output();
    let verified = match verified {
        Err(error) if error.kind() == ErrorKind::NotFound => return,
        verified => verified.unwrap(),
    };
    // It tells of faults in units of the system too.
    let said = String::from_utf8_lossy(&verified.stderr).into_owned();
    let faults: Vec<&str> = said.lines().filter(|line| line.contains("pharos")).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The version of systemd here, if it is there.
fn systemd() -> Option<u32> {
    let output = match Command::new("systemd-analyze").arg("--version").output() {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        output => output.unwrap(),
    };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = said.split_whitespace().nth(1)?;
    version.parse().ok()
}

/// How much of the machine a unit reaches by systemd's own judgement, from 0 to 100; 96 is a unit that confines nothing. Where there
/// is no systemd, or one that does not judge files, nothing can be said.
#[test]
fn systemd_finds_the_units_confined() {
    const MOST: u32 = 15;
    if systemd().is_none_or(|version| version < 250) {
        return;
    }
    let judged = |unit: &Path| {
        let output = Command::new("systemd-analyze")
            .args(["security", "--offline=true", "--no-pager"])
            .arg(format!("--threshold={MOST}"))
            .arg(unit)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains("Overall exposure level"), "{output:?}");
        (output.status.success(), said)
    };
    for name in ["pharos.service", "pharos-backup.service"] {
        let (is_confined, said) = judged(&folder("systemd").join(name));
        assert!(is_confined, "{name}: {said}");
    }
    let open = tempfile::tempdir().unwrap();
    let unit = fs::read_to_string(folder("systemd/pharos.service")).unwrap();
    let unit = unit
        .replace("ProtectSystem=strict\n", "")
        .replace("User=pharos\n", "");
    let copy = open.path().join("pharos.service");
    fs::write(&copy, unit).unwrap();
    assert!(!judged(&copy).0, "a unit that writes anywhere as root");
}

/// The whole file, with TLS, on ports that anybody may have.
#[test]
fn nginx_takes_the_site_as_it_stands() {
    let vault = Vault::new("Root");
    vault.issue("site", "-newkey ec -pkeyopt ec_paramgen_curve:P-256", 90);
    let here = tempfile::tempdir().unwrap();
    let sockets = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    let [plain, tls] = sockets.map(|socket| socket.local_addr().unwrap());
    let mut site = NGINX.to_owned();
    for (of_web, ours) in [
        ("    listen 80;\n", format!("    listen {plain};\n")),
        (
            "    listen 443 ssl http2;\n",
            format!("    listen {tls} ssl http2;\n"),
        ),
        ("    listen [::]:80;\n", String::new()),
        ("    listen [::]:443 ssl http2;\n", String::new()),
        ("/etc/ssl/pharos/fullchain.pem", vault.path("site.pem")),
        ("/etc/ssl/pharos/privkey.pem", vault.path("site.key")),
    ] {
        assert_eq!(site.matches(of_web).count(), 1, "{of_web}");
        site = site.replace(of_web, &ours);
    }
    let at = here.path().display();
    let aside = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let aside = aside.map(|of| format!("{of}_temp_path {at}/{of};\n")).concat();
    let file = here.path().join("nginx.conf");
    let whole = format!(
        "pid {at}/pid;\nerror_log stderr warn;\nevents {{}}\nhttp {{\naccess_log off;\n{aside}{site}}}\n"
    );
    fs::write(&file, whole).unwrap();
    let program = std::env::var("PHAROS_TEST_NGINX").unwrap_or_else(|_| "nginx".to_owned());
    let tested = Command::new(&program)
        .arg("-t")
        .arg("-p")
        .arg(here.path())
        .arg("-c")
        .arg(&file)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}; `cargo xtask test` brings it"));
    let said = String::from_utf8_lossy(&tested.stderr).into_owned();
    assert!(tested.status.success(), "{said}");
}

/// A node that listens elsewhere than a proxy looks would answer nobody.
#[test]
fn all_files_name_the_port_and_the_folder_that_the_product_has() {
    let port = port();
    for (file, text, part) in [
        ("nginx.conf", NGINX, format!("server 127.0.0.1:{port} ")),
        ("Caddyfile", CADDY, format!("{{$SITE_NODES:127.0.0.1:{port}}}")),
        (
            "Containerfile",
            CONTAINERFILE,
            format!("PHAROS_LISTEN=0.0.0.0:{port}"),
        ),
        ("Containerfile", CONTAINERFILE, format!("EXPOSE {port}\n")),
        (
            "Containerfile",
            CONTAINERFILE,
            format!("PHAROS_DATA_FOLDER={DATA}"),
        ),
        ("Containerfile", CONTAINERFILE, format!("VOLUME {DATA}\n")),
        (
            "Containerfile",
            CONTAINERFILE,
            format!("CMD [\"{PROGRAM}\", \"healthcheck\"]"),
        ),
    ] {
        assert!(text.contains(&part), "{file} lacks {part}");
    }
    for name in ["pharos.service", "pharos-backup.service"] {
        let unit = fs::read_to_string(folder("systemd").join(name)).unwrap();
        assert!(unit.contains(&format!("PHAROS_DATA_FOLDER={DATA}\n")), "{name}");
        assert!(unit.contains(PROGRAM), "{name}");
    }
}

/// Vendored crates have folders called `target` (cc has), and cargo refuses one that lacks a file.
#[test]
fn the_image_is_built_of_all_but_what_a_build_leaves_behind() {
    let ignored: Vec<&str> = IGNORED.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(ignored, [".git", "target", "**/node_modules"]);
}

#[test]
fn the_composition_agrees_with_the_image_and_its_example() {
    let composed = compose();
    let services = composed["services"].as_object().unwrap();
    let node = &services["pharos"];
    assert_eq!(node["command"], json!(["serve"]));
    assert_eq!(
        node["healthcheck"]["test"],
        json!(["CMD", PROGRAM, "healthcheck"])
    );
    assert_eq!(node["volumes"], json!([format!("pharos:{DATA}")]));
    let build = &node["build"];
    assert_eq!(
        (&build["context"], &build["dockerfile"]),
        (&json!(".."), &json!("deploy/Containerfile"))
    );
    let grace = node["stop_grace_period"].as_str().unwrap();
    let grace: u64 = grace.strip_suffix('s').unwrap().parse().unwrap();
    assert!(grace > DRAIN.as_secs(), "{grace}");
    assert_eq!(
        services["proxy"]["environment"]["SITE_NODES"],
        format!("pharos:{}", port())
    );
    // Whoever names a service, a volume or a network that there is not would start nothing.
    for (name, service) in services {
        let named = service["depends_on"].as_object().into_iter().flatten();
        for (other, condition) in named {
            assert_eq!(condition["condition"], "service_healthy", "{name}");
            assert!(
                !services[other]["healthcheck"].is_null(),
                "{name} waits for {other}"
            );
        }
        for network in service["networks"].as_array().unwrap() {
            let is_there = composed["networks"]
                .as_object()
                .unwrap()
                .contains_key(network.as_str().unwrap());
            assert!(is_there, "{name} is on {network}");
        }
        for volume in service["volumes"].as_array().into_iter().flatten() {
            let source = volume.as_str().unwrap().split(':').next().unwrap();
            let is_there = match source.strip_prefix("./") {
                Some(file) => folder(file).is_file(),
                None => composed["volumes"].as_object().unwrap().contains_key(source),
            };
            assert!(is_there, "{name} has {source}");
        }
    }
    let asked: BTreeSet<&str> = COMPOSE
        .split("${")
        .skip(1)
        .map(|rest| rest.split([':', '}']).next().unwrap())
        .collect();
    let given: BTreeSet<&str> = EXAMPLE
        .lines()
        .filter_map(|line| Some(line.split_once('=')?.0).filter(|name| !name.starts_with('#')))
        .collect();
    assert_eq!(asked, given);
}
