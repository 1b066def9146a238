//! The binary `pharos-mcp`.

use std::{
    ffi::OsString, fs, io::IsTerminal, net::SocketAddr, path::PathBuf, process::ExitCode, time::Duration,
};

use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::Context;
use clap::{Args, CommandFactory, Parser, Subcommand};
use mimalloc::MiMalloc;
use pharos_domain::{identity::TrustedHops, on_behalf::OnBehalf, secret::Secret};
use pharos_egress::trust::TrustAnchors;
use pharos_mcp::{
    api,
    credential::Caller,
    http::{McpServer, Settings},
    stdio,
};
use tracing_subscriber::EnvFilter;

/// Each call makes and drops many small values of JSON.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// How long the head of a request may take to arrive.
const READ_HEAD_WITHIN: Duration = Duration::from_secs(10);
/// How long a connection is kept that nobody asks on: an assistant thinks from one call to the next.
const KEEPS_FOR: Duration = Duration::from_secs(75);
const KEY: &str = "PHAROS_API_KEY";
/// The characters of the shared secret at least, of which the API demands as many.
const LEAST_SECRET: usize = 32;
/// By how many letters a variable that is not known may differ from one that is, for that to be meant. The settings of Pharos
/// itself, which may run in the same environment, differ by more.
const MISSPELT: usize = 2;

/// Tools of a Pharos for assistants (Model Context Protocol).
#[derive(Debug, Parser)]
#[command(name = "pharos-mcp", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    pharos: Pharos,
    /// Which events are logged, as a filter of tracing.
    #[arg(
        long,
        global = true,
        env = "PHAROS_LOG",
        // A client that hangs up is no error, which the protocol's crate takes it for.
        default_value = "warn,pharos_mcp=info,rmcp=off"
    )]
    log: String,
}

#[derive(Debug, Args)]
struct Pharos {
    /// The address of Pharos, such as https://pharos.example.
    #[arg(
        long,
        global = true,
        env = "PHAROS_URL",
        default_value = "http://127.0.0.1:7070"
    )]
    url: String,
    /// Where its API is called, if that is another address.
    #[arg(long, global = true, env = "PHAROS_API_URL", value_name = "URL")]
    api_url: Option<String>,
    /// A file of PEM certificates of authorities that vouch for Pharos, beside those that browsers trust.
    #[arg(long, global = true, env = "PHAROS_MCP_CA_FILE", value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// The address of this server, which access tokens name [default: that of Pharos and /mcp].
    #[arg(long, global = true, env = "PHAROS_MCP_RESOURCE", value_name = "URL")]
    resource: Option<String>,
    /// How many proxies of one's own stand in front of this server.
    #[arg(long, global = true, env = "PHAROS_TRUSTED_HOPS", default_value_t = 0)]
    trusted_hops: usize,
    /// The secret by which the API is told of callers' addresses: its mcp_secret. Without it, limits of addresses and allowlists of
    /// keys are about the address of this server.
    #[arg(long, global = true, env = "PHAROS_MCP_SECRET", hide_env_values = true, value_parser = secret)]
    secret: Option<Secret>,
}

/// A value that neither help nor errors show.
fn secret(value: &str) -> Result<Secret, std::convert::Infallible> {
    Ok(Secret::from(value.to_owned()))
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serves Streamable HTTP.
    Serve {
        /// The address to listen on.
        #[arg(
            long,
            env = "PHAROS_MCP_LISTEN",
            default_value = "127.0.0.1:7073",
            value_name = "ADDRESS:PORT"
        )]
        listen: SocketAddr,
    },
    /// Serves standard input and output, with the API key in PHAROS_API_KEY.
    Stdio,
}

impl Pharos {
    fn settings(self) -> anyhow::Result<Settings> {
        let base_url = api::address(&self.url).context("--url")?.to_owned();
        let is_long = |secret: &Secret| secret.reveal().len() >= LEAST_SECRET;
        anyhow::ensure!(
            self.secret.as_ref().is_none_or(is_long),
            "--secret (PHAROS_MCP_SECRET) has {LEAST_SECRET} characters or more, and is the mcp_secret of Pharos"
        );
        let api = match &self.api_url {
            Some(url) => api::address(url).context("--api-url")?.to_owned(),
            None => base_url.clone(),
        };
        let mut trust = TrustAnchors::web();
        if let Some(file) = &self.ca_file {
            let context = || format!("--ca-file {}", file.display());
            let pem = fs::read(file).with_context(context)?;
            trust = trust.with_extra(&pem).with_context(context)?;
        }
        let resource = self.resource.unwrap_or_else(|| format!("{base_url}/mcp"));
        Ok(Settings {
            api,
            resource: resource.trim_end_matches('/').to_owned(),
            base_url,
            hops: TrustedHops(self.trusted_hops),
            on_behalf: self
                .secret
                .map(|secret| OnBehalf::sharing(secret.reveal().as_bytes())),
            trust,
        })
    }
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pharos-mcp: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&cli.log).context("--log is no filter")?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        // Standard output belongs to the protocol.
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .init();
    let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for (name, meant) in misspelt(variables) {
        tracing::warn!("{name} sets nothing; perhaps {meant} is meant");
    }
    let settings = cli.pharos.settings()?;
    match cli.command {
        Command::Serve { listen } => actix_web::rt::System::new().block_on(serve(&settings, listen)),
        Command::Stdio => {
            let caller = caller(std::env::var_os(KEY), &settings.resource)?;
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            let served = runtime.block_on(stdio::serve(&settings, caller));
            // A read of standard input can't be given up, and nothing is left to be done.
            runtime.shutdown_background();
            served
        }
    }
}

/// The caller at standard input, whose key the environment holds.
fn caller(key: Option<OsString>, resource: &str) -> anyhow::Result<Caller> {
    let key = key.unwrap_or_default();
    let key = key.to_string_lossy();
    let key = key.trim();
    anyhow::ensure!(
        !key.is_empty(),
        "{KEY} is not set (or empty): it takes an API key"
    );
    Caller::with(key, resource).map_err(|_| anyhow::anyhow!("{KEY} holds no credential of this Pharos"))
}

/// The variables that set nothing and are spelt nearly like one that does, with that one.
fn misspelt(names: impl Iterator<Item = String>) -> Vec<(String, String)> {
    let command = Cli::command();
    let known: Vec<String> = std::iter::once(&command)
        .chain(command.get_subcommands())
        .flat_map(|command| command.get_arguments())
        .filter_map(|argument| argument.get_env()?.to_str().map(str::to_owned))
        .chain([KEY.to_owned()])
        .collect();
    names
        .filter(|name| name.starts_with("PHAROS_") && !known.contains(name))
        .filter_map(|name| {
            let is_near = |known: &&String| strsim::osa_distance(known, &name) <= MISSPELT;
            let meant = known.iter().find(is_near)?.clone();
            Some((name, meant))
        })
        .collect()
}

async fn serve(settings: &Settings, listen: SocketAddr) -> anyhow::Result<()> {
    let server = McpServer::new(settings)?;
    let mounted = move || {
        let server = server.clone();
        App::new()
            .configure(|config| {
                server.configure(config);
                server.configure_metadata(config);
            })
            .route(
                "/livez",
                web::get().to(|| async { HttpResponse::Ok().body("ok\n") }),
            )
    };
    let running = HttpServer::new(mounted)
        .client_request_timeout(READ_HEAD_WITHIN)
        .keep_alive(KEEPS_FOR)
        // Whoever hangs up waits for nothing: the work ends.
        .h1_allow_half_closed(false)
        .bind(listen)
        .with_context(|| format!("can't listen on {listen}; choose another address with --listen"))?
        .run();
    tracing::info!(%listen, resource = settings.resource, "serves MCP");
    running.await.context("the server broke")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_not_set_is_told_from_one_that_is_none() {
        let refused = |key: Option<&str>| caller(key.map(OsString::from), "").unwrap_err().to_string();
        for key in [None, Some(""), Some("  ")] {
            let told = refused(key);
            assert_eq!(told, "PHAROS_API_KEY is not set (or empty): it takes an API key");
        }
        assert!(refused(Some("a.b")).contains("no credential"));
        assert!(caller(Some(OsString::from(" svc_dev_x\n")), "").is_ok());
    }

    #[test]
    fn a_misspelt_variable_is_known_by_the_one_that_is_meant() {
        for (name, meant) in [
            ("PHAROS_MCP_SECERT", Some("PHAROS_MCP_SECRET")),
            ("PHAROS_ULR", Some("PHAROS_URL")),
            ("PHAROS_MCP_LISTN", Some("PHAROS_MCP_LISTEN")),
            ("PHAROS_APIKEY", Some("PHAROS_API_KEY")),
            ("PHAROS_URL", None),
            ("PHAROS_API_KEY", None),
            // Variables of Pharos itself, and of Kubernetes.
            ("PHAROS_ROLES", None),
            ("PHAROS_DATABASE_URL", None),
            ("PHAROS_LISTEN", None),
            ("PHAROS_TLS_KEY", None),
            ("PHAROS_MCP_PORT", None),
            ("HOME", None),
        ] {
            let found = misspelt(std::iter::once(name.to_owned()));
            let found = found.first().map(|(_, meant)| meant.as_str());
            assert_eq!(found, meant, "{name}");
        }
    }
}
