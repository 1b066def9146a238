//! Chains of refresh tokens through a node, each on a connection of its own.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use futures_util::future::try_join_all;
use http_body_util::{BodyExt, Full};
use hyper::{Request, client::conn::http1::SendRequest, header};
use hyper_util::rt::TokioIo;
use pharos_http::spec::BASE_PATH;
use serde::Deserialize;
use tokio::net::TcpStream;

use super::{Sample, end};

/// The chains.
pub(super) struct Chains {
    address: SocketAddr,
    chains: Vec<Chain>,
}

/// A client's chain: what its next refresh needs.
pub(super) struct Chain {
    pub(super) client_id: String,
    pub(super) refresh_token: String,
    pub(super) links: usize,
}

#[derive(Deserialize)]
struct Answer {
    access_token: String,
    refresh_token: String,
}

impl Chains {
    pub(super) fn new(address: SocketAddr, chains: Vec<Chain>) -> Self {
        Self { address, chains }
    }

    pub(super) async fn run(&mut self, counted: Duration) -> Result<Sample> {
        let until = end(counted);
        let address = self.address;
        let running = self
            .chains
            .drain(..)
            .map(|chain| async move { tokio::spawn(follow(address, chain, until)).await? });
        let done = try_join_all(running).await.context("a chain broke")?;
        let (chains, latencies): (Vec<_>, Vec<_>) = done.into_iter().unzip();
        self.chains = chains;
        Ok(Sample::of(latencies.concat(), counted))
    }

    /// No chain broke, and none stood still.
    pub(super) fn hold(&self) -> Result<()> {
        ensure!(
            self.chains.iter().all(|chain| chain.links > 0),
            "a chain stood still"
        );
        Ok(())
    }
}

async fn follow(address: SocketAddr, mut chain: Chain, until: Instant) -> Result<(Chain, Vec<Duration>)> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let connection = tokio::spawn(connection);
    let mut latencies = Vec::new();
    while Instant::now() < until {
        let began = Instant::now();
        refresh(&mut sender, address, &mut chain).await?;
        latencies.push(began.elapsed());
    }
    drop(sender);
    connection.await??;
    Ok((chain, latencies))
}

async fn refresh(
    sender: &mut SendRequest<Full<Bytes>>,
    address: SocketAddr,
    chain: &mut Chain,
) -> Result<()> {
    let body = format!(
        "grant_type=refresh_token&refresh_token={}&client_id={}&resource=http%3A%2F%2F127.0.0.1%3A{}",
        chain.refresh_token,
        chain.client_id,
        address.port()
    );
    let request = Request::post(format!("{BASE_PATH}/oauth/token"))
        .header(header::HOST, address.to_string())
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Full::new(Bytes::from(body)))?;
    sender.ready().await?;
    let answer = sender.send_request(request).await?;
    let status = answer.status();
    let body = answer.into_body().collect().await?.to_bytes();
    ensure!(status == 200, "{status}: {}", String::from_utf8_lossy(&body));
    let answer: Answer = serde_json::from_slice(&body)?;
    ensure!(answer.access_token.len() > 100, "no access token");
    chain.refresh_token = answer.refresh_token;
    chain.links += 1;
    Ok(())
}
