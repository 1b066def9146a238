//! One keep-alive connection with one request in flight.

use std::{
    io::{ErrorKind, Read, Write},
    net::SocketAddr,
    ops::Range,
    time::Instant,
};

use anyhow::{Context, Result, bail};
use mio::net::TcpStream;

use crate::response::{self, Head};

/// Larger than any answer that is measured, so that one read fetches all that is there.
const BUFFER: usize = 64 * 1024;

/// A connection, and the requests that it sends in turn.
pub(super) struct Connection {
    pub(super) stream: TcpStream,
    requests: Range<usize>,
    next: usize,
    sent_at: Instant,
    buffer: Vec<u8>,
    filled: usize,
    head: Option<Head>,
}

impl Connection {
    pub(super) fn open(address: SocketAddr, requests: Range<usize>) -> Result<Self> {
        let stream = std::net::TcpStream::connect(address).context("the server takes no connection")?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream: TcpStream::from_std(stream),
            next: requests.start,
            requests,
            sent_at: Instant::now(),
            buffer: vec![0; BUFFER],
            filled: 0,
            head: None,
        })
    }

    /// Sends the next request. It fits into the socket's buffer, which is empty when none is in flight.
    pub(super) fn send(&mut self, requests: &[Vec<u8>]) -> Result<()> {
        let request = &requests[self.next];
        self.next += 1;
        if self.next == self.requests.end {
            self.next = self.requests.start;
        }
        self.sent_at = Instant::now();
        let written = self
            .stream
            .write(request)
            .context("the server closed a connection")?;
        if written < request.len() {
            bail!("a request of {} bytes did not fit into a socket", request.len());
        }
        Ok(())
    }

    /// Reads what is there. An answer that is whole is given with the moment that its request was sent.
    pub(super) fn receive(&mut self) -> Result<Option<Answer<'_>>> {
        loop {
            match self.stream.read(&mut self.buffer[self.filled..]) {
                Ok(0) => bail!("the server closed a connection"),
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error).context("the server broke a connection"),
            }
            if self.head.is_none() {
                self.head = response::head(&self.buffer[..self.filled])?;
            }
            let Some(head) = &self.head else { continue };
            if head.length > self.buffer.len() {
                bail!("an answer has {} bytes; {BUFFER} are room for", head.length);
            }
            if self.filled >= head.length {
                let (status, bytes) = (head.status, &self.buffer[..head.length]);
                (self.head, self.filled) = (None, 0);
                return Ok(Some(Answer {
                    status,
                    bytes,
                    sent_at: self.sent_at,
                }));
            }
        }
    }
}

/// An answer, whole.
pub(super) struct Answer<'c> {
    pub(super) status: u16,
    /// Head and body.
    pub(super) bytes: &'c [u8],
    pub(super) sent_at: Instant,
}
