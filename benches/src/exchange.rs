//! Single requests: to prime a server before it is measured, and to see that it answers what is to be measured.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use anyhow::{Context, Result, bail};

use crate::{interrupt, response};

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// Whether the request was done.
    pub(crate) fn is_success(&self) -> bool {
        response::is_success(self.status)
    }

    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (known, value) = line.split_once(": ")?;
            known.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

/// A connection, with one request in flight at most.
#[derive(Debug)]
pub(crate) struct Wire(TcpStream);

impl Wire {
    pub(crate) fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).context("the server takes no connection")?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        stream.set_nodelay(true)?;
        Ok(Self(stream))
    }

    /// The answer to a request. A refusal is an error.
    pub(crate) fn ask(&mut self, request: &[u8]) -> Result<Reply> {
        let reply = self.reply(request)?;
        if !reply.is_success() {
            let body = String::from_utf8_lossy(&reply.body);
            bail!("the server answers\n{}{body}", reply.head);
        }
        Ok(reply)
    }

    /// The answer to a request, whatever its status.
    pub(crate) fn reply(&mut self, request: &[u8]) -> Result<Reply> {
        self.0
            .write_all(request)
            .context("the server closed a connection")?;
        let mut bytes = Vec::new();
        let mut part = vec![0; 1 << 16];
        loop {
            let read = self.0.read(&mut part).context("the server does not answer")?;
            if read == 0 {
                bail!("the server closed a connection");
            }
            bytes.extend_from_slice(&part[..read]);
            let Some(head) = response::head(&bytes)? else {
                continue;
            };
            if bytes.len() < head.length {
                continue;
            }
            let body = bytes.split_off(head.length - head.body);
            return Ok(Reply {
                status: head.status,
                head: String::from_utf8_lossy(&bytes).into_owned(),
                body,
            });
        }
    }
}

/// Sends each request once on one connection, and returns the last answer. A refusal is an error.
pub(crate) fn each_once(address: SocketAddr, requests: &[Vec<u8>]) -> Result<Reply> {
    let mut wire = Wire::open(address)?;
    let mut last = None;
    for request in requests {
        if interrupt::came() {
            bail!("interrupted");
        }
        last = Some(wire.ask(request)?);
    }
    last.context("there is no request")
}
