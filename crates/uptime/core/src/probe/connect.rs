//! Makes the TCP connection, to the first of several addresses that answers (after RFC 8305).

use std::io;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, sleep_until};

use super::error_class::ErrorClass;
use super::report::ProbeError;
use crate::address_policy::AllowedAddr;

/// Tries the addresses in order. The next one is begun when the last one failed or has kept it waiting
/// for `stagger`; those already begun stay in the race.
pub(super) async fn connect(
    addresses: &[AllowedAddr],
    stagger: Duration,
    deadline: Instant,
) -> Result<TcpStream, ProbeError> {
    let mut waiting = addresses.iter();
    let mut begun = FuturesUnordered::new();
    let mut failure = None;
    loop {
        match waiting.next() {
            Some(address) => begun.push(TcpStream::connect(address.get())),
            None if begun.is_empty() => return Err(classify(failure.as_ref())),
            None => {}
        }
        tokio::select! {
            biased;
            Some(outcome) = begun.next() => match outcome {
                Ok(stream) => {
                    // A probe sends one small request: waiting to fill a packet would only distort it.
                    let _ = stream.set_nodelay(true);
                    return Ok(stream);
                }
                Err(error) => failure = Some(more_telling(failure, error)),
            },
            () = sleep_until(deadline) => return Err(timed_out()),
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

fn classify(error: Option<&io::Error>) -> ProbeError {
    let Some(error) = error else {
        return ProbeError::unknown("There is no address to connect to.");
    };
    match error.kind() {
        io::ErrorKind::ConnectionRefused => ProbeError::new(
            ErrorClass::ConnectionRefused,
            "The server refused the connection.",
        ),
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => ProbeError::new(
            ErrorClass::ConnectionReset,
            "The server broke the connection off at once.",
        ),
        io::ErrorKind::TimedOut => timed_out(),
        _ if is_unreachable(error) => ProbeError::new(
            ErrorClass::ConnectionRefused,
            "The network has no way to the address.",
        ),
        _ => ProbeError::unknown("The connection could not be made."),
    }
}

fn timed_out() -> ProbeError {
    ProbeError::new(ErrorClass::ConnectTimeout, "No connection came about in time.")
}
