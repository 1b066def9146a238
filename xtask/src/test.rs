//! `cargo xtask test`: every test of the workspace, with all that they need.

use std::{env, ffi::OsString, path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};

use crate::{
    browser, build, cargo,
    children::Children,
    host::Host,
    nginx,
    postgres::{self, Server},
    promtool, python, redis,
    steps::Steps,
};

/// Names the server that the tests make their databases on.
const DATABASE: &str = "PHAROS_TEST_DATABASE_URL";
/// Names the program of the Redis servers that the tests start.
const REDIS: &str = "PHAROS_TEST_REDIS_SERVER";
/// Names the browser that the tests of the console drive.
const CHROMIUM: &str = "PHAROS_TEST_CHROMIUM";
/// Names the Python that has the client libraries.
const PYTHON: &str = "PHAROS_TEST_PYTHON";
/// Names the promtool that judges the alert rules.
const PROMTOOL: &str = "PHAROS_TEST_PROMTOOL";
/// Names the nginx that the tests put in front of nodes.
const NGINX: &str = "PHAROS_TEST_NGINX";
/// Names the program that the tests start.
const PROGRAM: &str = "PHAROS_BIN";

/// Run every test of the workspace.
///
/// Brings PostgreSQL, Redis, Node.js, Chromium, Python, promtool and nginx where they are missing (with apt, as root or through sudo), and
/// what tests/browser and tests/clients name by npm and pip; starts a PostgreSQL server of its own on a free port in a temporary folder, runs
/// the tests by cargo-nextest or, where that is not installed, by `cargo test`, and stops the server again. The exit
/// status is that of the tests.
///
/// With PHAROS_TEST_DATABASE_URL set (a superuser's URL) the tests use that server and none is started. With
/// PHAROS_TEST_REDIS_SERVER set they start that program, and Redis is not looked for.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A filter or further arguments, handed on to `cargo nextest run` or `cargo test`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    rest: Vec<OsString>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let host = Host::this();
    let given = env::var(DATABASE).ok().filter(|url| !url.is_empty());
    let given_redis = env::var_os(REDIS).filter(|program| !program.is_empty());
    let mut steps = Steps::new(9);
    let binaries = steps.run(
        "Looking for PostgreSQL",
        || {
            build::check_linker(&host)?;
            postgres::bring(&host)
        },
        |found| format!("PostgreSQL {} in {}", found.version, found.folder.display()),
    )?;
    let redis = match given_redis {
        Some(program) => {
            steps.begin(&format!("Using the Redis that {REDIS} names"));
            PathBuf::from(program)
        }
        None => {
            let found = steps.run(
                "Looking for Redis",
                || redis::bring(&host),
                |found| format!("Redis {}, {}", found.version, found.file.display()),
            )?;
            found.file
        }
    };
    let browser = steps.run(
        "Looking for Node.js and Chromium",
        || browser::bring(&host),
        |found| {
            let (node, chromium) = (&found.node.version, &found.chromium);
            format!(
                "Node.js {node}, Chromium {}, {}",
                chromium.version,
                chromium.file.display()
            )
        },
    )?;
    let python = steps.run(
        "Looking for Python",
        || python::bring(&host, &python::TESTS),
        |found| format!("Python {}", found.version),
    )?;
    let promtool = steps.run(
        "Looking for promtool",
        || promtool::bring(&host),
        |found| format!("promtool {}, {}", found.version, found.file.display()),
    )?;
    let nginx = steps.run(
        "Looking for nginx",
        || nginx::bring(&host),
        |found| format!("nginx {}, {}", found.version, found.file.display()),
    )?;
    let program = steps.run(
        "Building pharos and the tests",
        || build::pharos(&[&["--bin", "pharos-mcp"], targets(&args.rest).as_slice()].concat()),
        |program| format!("built {}", program.display()),
    )?;
    // Until here a Ctrl-C just ends us; from here on there is something to clean up.
    let children = Children::watched()?;
    let (server, url) = match given {
        Some(url) => {
            steps.begin(&format!("Using the server that {DATABASE} names"));
            (None, url)
        }
        None => {
            let server = steps.run(
                "Starting a PostgreSQL server for the tests",
                || Server::start(&host, &binaries),
                |server| format!("it listens on {}", server.address()),
            )?;
            let url = server.url.clone();
            (Some(server), url)
        }
    };
    let nextest = has_nextest();
    steps.begin(if nextest {
        "Running the tests by cargo-nextest"
    } else {
        "Running the tests by cargo test"
    });
    let mut command = cargo::command();
    command.args(if nextest {
        ["nextest", "run", "--workspace", "--all-features"].as_slice()
    } else {
        &["test", "--workspace", "--all-features", "--no-fail-fast"]
    });
    command
        .args(&args.rest)
        .env(DATABASE, url)
        .env(REDIS, redis)
        .env(CHROMIUM, browser.chromium.file)
        .env(PYTHON, python.python)
        .env(PROMTOOL, promtool.file)
        .env(NGINX, nginx.file)
        .env(PROGRAM, program);
    let status = children.run(&mut command).context("the tests did not start")?;
    drop(server);
    Ok(children.exit_code(status))
}

/// The targets that are built before the tests run: those that the arguments name (`--test api`), or all.
fn targets(rest: &[OsString]) -> Vec<&str> {
    let texts: Vec<&str> = rest.iter().filter_map(|text| text.to_str()).collect();
    let named = texts.windows(2).filter(|pair| pair[0] == "--test");
    let targets: Vec<&str> = named.flatten().copied().collect();
    if targets.is_empty() {
        vec!["--tests"]
    } else {
        targets
    }
}

fn has_nextest() -> bool {
    let mut asked = cargo::command();
    asked.args(["nextest", "--version"]);
    asked.output().is_ok_and(|said| said.status.success())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::targets;

    #[test]
    fn only_the_tests_that_are_named_are_built() {
        let built = |rest: &str| {
            let rest: Vec<OsString> = rest.split_whitespace().map(OsString::from).collect();
            targets(&rest).join(" ")
        };
        assert_eq!(built(""), "--tests");
        assert_eq!(built("-E test(rum)"), "--tests");
        assert_eq!(
            built("--test api --test database -E test(rum)"),
            "--test api --test database"
        );
        assert_eq!(built("--test"), "--tests");
    }
}
