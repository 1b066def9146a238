//! A connection from which only so much is taken in.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, Join, ReadBuf, ReadHalf, WriteHalf, join, split};

/// Reading beyond the bound fails with this kind. HTTP/2 passes nothing on of an error but its kind.
pub(super) const BEYOND: io::ErrorKind = io::ErrorKind::QuotaExceeded;

/// The reading side of a connection, and how many bytes it may still give.
pub(super) struct Bounded<R> {
    reader: R,
    left: usize,
}

/// The same connection, where reading fails once more than `bound` bytes have come.
pub(super) fn bounded<S>(stream: S, bound: usize) -> Join<Bounded<ReadHalf<S>>, WriteHalf<S>>
where
    S: AsyncRead + AsyncWrite,
{
    let (reader, writer) = split(stream);
    join(Bounded { reader, left: bound }, writer)
}

impl<R: AsyncRead + Unpin> AsyncRead for Bounded<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.reader).poll_read(cx, buffer))?;
        match self.left.checked_sub(buffer.filled().len() - before) {
            Some(left) => self.left = left,
            None => return Poll::Ready(Err(BEYOND.into())),
        }
        Poll::Ready(Ok(()))
    }
}
