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
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (known, value) = line.split_once(": ")?;
            known.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

/// Sends each request once on one connection, and returns the last answer. Any but 200 is an error.
pub(crate) fn each_once(address: SocketAddr, requests: &[Vec<u8>]) -> Result<Reply> {
    let mut stream = TcpStream::connect(address).context("the server takes no connection")?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    stream.set_nodelay(true)?;
    let mut last = None;
    for request in requests {
        if interrupt::came() {
            bail!("interrupted");
        }
        last = Some(exchange(&mut stream, request)?);
    }
    last.context("there is no request")
}

fn exchange(stream: &mut TcpStream, request: &[u8]) -> Result<Reply> {
    stream
        .write_all(request)
        .context("the server closed a connection")?;
    let mut bytes = Vec::new();
    loop {
        let mut part = [0; 4096];
        let read = stream.read(&mut part).context("the server does not answer")?;
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
        if head.status != 200 {
            bail!("the server answers\n{}", String::from_utf8_lossy(&bytes));
        }
        let body = bytes.split_off(head.length - head.body);
        return Ok(Reply {
            head: String::from_utf8_lossy(&bytes).into_owned(),
            body,
        });
    }
}
