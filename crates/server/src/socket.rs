//! Sockets that listen.

use std::net::{SocketAddr, TcpListener};

use socket2::{Domain, Protocol, Socket, Type};

/// How many connections may wait to be accepted. The standard library has 128 wait; the next one of a burst would try
/// again after a second. The kernel's own limit (net.core.somaxconn) is 4,096.
const BACKLOG: i32 = 4_096;

/// A socket that listens at the address.
///
/// # Errors
/// The address can't be had.
pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // Connections that have ended keep no server from starting again.
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}
