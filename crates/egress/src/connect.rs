//! Makes the TCP connection, to the first of several addresses that answers (after RFC 8305).

use std::io;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, sleep_until};

use crate::address_policy::AllowedAddr;

/// Why no connection came about. The texts name no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// There was nothing to connect to.
    #[error("there is no address to connect to")]
    NoAddress,
    /// Nobody listens, or somebody between turns connections away.
    #[error("the server refused the connection")]
    Refused,
    /// It ended as soon as it was there.
    #[error("the server broke the connection off at once")]
    Reset,
    /// Nobody answered in time.
    #[error("no connection came about in time")]
    Timeout,
    /// This machine has no route there.
    #[error("the network has no way to the address")]
    Unreachable,
    /// None of the others.
    #[error("the connection could not be made")]
    Failed,
}

/// Tries the addresses in order. The next one is begun when the last one failed or has kept it waiting
/// for `stagger` (RFC 8305: 250 ms); those already begun stay in the race.
///
/// # Errors
/// None of them answered.
pub async fn connect(
    addresses: &[AllowedAddr],
    stagger: Duration,
    deadline: Instant,
) -> Result<TcpStream, ConnectError> {
    let mut waiting = addresses.iter();
    let mut begun = FuturesUnordered::new();
    let mut failure = None;
    loop {
        match waiting.next() {
            Some(address) => begun.push(TcpStream::connect(address.get())),
            None if begun.is_empty() => {
                return Err(failure.as_ref().map_or(ConnectError::NoAddress, ConnectError::of));
            }
            None => {}
        }
        tokio::select! {
            biased;
            Some(outcome) = begun.next() => match outcome {
                Ok(stream) => {
                    // One small request goes out: waiting to fill a packet would only delay it.
                    let _ = stream.set_nodelay(true);
                    return Ok(stream);
                }
                Err(error) => failure = Some(more_telling(failure, error)),
            },
            () = sleep_until(deadline) => return Err(ConnectError::Timeout),
            () = sleep(stagger), if waiting.len() > 0 => {}
        }
    }
}

/// The first failure speaks for all, unless it is only that this machine has no way to that address:
/// not having IPv6 looks like that, and says nothing about the server.
fn more_telling(before: Option<io::Error>, now: io::Error) -> io::Error {
    match before {
        Some(before) if !is_unreachable(&before) => before,
        _ => now,
    }
}

fn is_unreachable(error: &io::Error) -> bool {
    use io::ErrorKind::{AddrNotAvailable, HostUnreachable, NetworkUnreachable};
    matches!(
        error.kind(),
        NetworkUnreachable | HostUnreachable | AddrNotAvailable
    )
}

impl ConnectError {
    fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Self::Refused,
            io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => Self::Reset,
            io::ErrorKind::TimedOut => Self::Timeout,
            _ if is_unreachable(error) => Self::Unreachable,
            _ => Self::Failed,
        }
    }
}
