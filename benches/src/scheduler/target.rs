//! The sites: one process that answers for all of them, over TLS, each request on a connection of its own.

use std::{
    fs,
    io::{BufRead, Write},
    net::{Ipv4Addr, Ipv6Addr, TcpListener as StdListener},
    path::PathBuf,
    sync::{Arc, OnceLock},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::{
    ServerConfig,
    crypto::ring::default_provider,
    pki_types::{CertificateDer, PrivatePkcs8KeyDer},
};
use time::OffsetDateTime;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy, sink},
    net::{TcpListener, TcpStream},
    time::sleep,
};
use tokio_rustls::TlsAcceptor;

use super::script::{HOSTS, Manner, Site, number, sites};
use crate::runtime;

/// How long a slow site takes.
const SLOW: Duration = Duration::from_secs(2);
/// The longest head that a request may have.
const MOST_HEAD: usize = 8_192;

/// The arguments of the process that serves the sites.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many sites
    pub(super) sites: usize,
    /// How long is counted
    pub(super) minutes: u32,
    /// Where to write the certificate of the authority that vouches for them
    pub(super) authority: PathBuf,
}

/// Serves until the parent is gone. It says the ports of the manners in a line, and is told in a line when the
/// counted time begins, in milliseconds since 1970.
pub(crate) fn run(args: &Args) -> Result<()> {
    runtime::of_this_thread()?.block_on(serve(args))
}

struct Target {
    sites: Vec<Site>,
    tls: TlsAcceptor,
    begins: OnceLock<i64>,
    bodies: [Vec<u8>; 2],
}

async fn serve(args: &Args) -> Result<()> {
    let target = Arc::new(Target {
        sites: sites(args.sites, args.minutes),
        tls: TlsAcceptor::from(Arc::new(identity(&args.authority)?)),
        begins: OnceLock::new(),
        bodies: ["200 OK", "500 Internal Server Error"].map(page),
    });
    let mut ports = Vec::new();
    for manner in Manner::ALL {
        let first = StdListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = first.local_addr()?.port();
        ports.push(port.to_string());
        // A machine without IPv6 has no ::1; the checks then use 127.0.0.1.
        let second = StdListener::bind((Ipv6Addr::LOCALHOST, port)).ok();
        for listener in [Some(first), second].into_iter().flatten() {
            listener.set_nonblocking(true)?;
            let listener = TcpListener::from_std(listener)?;
            tokio::spawn(accept(listener, manner, Arc::clone(&target)));
        }
    }
    let mut output = std::io::stdout();
    writeln!(output, "{}", ports.join(" "))?;
    output.flush()?;
    tokio::task::spawn_blocking(move || hear(&target)).await?
}

/// Returns when the parent is gone.
fn hear(target: &Target) -> Result<()> {
    for line in std::io::stdin().lock().lines() {
        let begins = line?.trim().parse().context("no time")?;
        if target.begins.set(begins).is_err() {
            bail!("the counted time begins once");
        }
    }
    Ok(())
}

async fn accept(listener: TcpListener, manner: Manner, target: Arc<Target>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let target = Arc::clone(&target);
                // Whoever hangs up has his answer, or wants none.
                tokio::spawn(async move { drop(target.answer(stream, manner).await) });
            }
            Err(error) => {
                eprintln!("the sites can't be reached: {error}");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

impl Target {
    async fn answer(&self, mut stream: TcpStream, manner: Manner) -> Result<()> {
        if manner == Manner::Silent {
            copy(&mut stream, &mut sink()).await?;
            return Ok(());
        }
        let mut stream = self.tls.accept(stream).await?;
        let name = stream.get_ref().1.server_name().context("no name")?;
        let site = self.sites.get(number(name)?).context("no such site")?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            if stream.read_buf(&mut head).await? == 0 || head.len() > MOST_HEAD {
                bail!("no request");
            }
        }
        if manner == Manner::Slow {
            sleep(SLOW).await;
        }
        stream
            .write_all(&self.bodies[usize::from(self.fails(site))])
            .await?;
        stream.shutdown().await?;
        Ok(())
    }

    fn fails(&self, site: &Site) -> bool {
        let now = OffsetDateTime::now_utc().unix_timestamp_nanos() / 1_000_000;
        let begins = self.begins.get().copied().map(i128::from);
        begins
            .and_then(|begins| i64::try_from(now - begins).ok())
            .is_some_and(|at| site.fails_at(at))
    }
}

/// A page of 2 kB.
fn page(status: &str) -> Vec<u8> {
    let body = "All is well here, or not. ".repeat(80);
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A certificate for all sites, of an authority that is made for this run.
fn identity(authority: &PathBuf) -> Result<ServerConfig> {
    let mut root = CertificateParams::new(Vec::new())?;
    root.distinguished_name.push(DnType::CommonName, "Bench Root");
    root.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let (root_key, key) = (KeyPair::generate()?, KeyPair::generate()?);
    fs::write(authority, root.self_signed(&root_key)?.pem())?;
    let issuer = Issuer::new(root, root_key);
    let leaf = CertificateParams::new(vec![HOSTS.to_owned()])?.signed_by(&key, &issuer)?;
    let chain: Vec<CertificateDer<'static>> = vec![leaf.der().clone()];
    let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, PrivatePkcs8KeyDer::from(key.serialize_der()).into())?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
