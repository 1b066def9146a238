//! Reads the body of an answer within its bounds.

use std::io::{self, Write};

use http::HeaderMap;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use tokio::time::{Instant, timeout_at};

use super::{EgressError, InvalidAnswer, Limits};
use crate::{
    coding::{Coding, Decoder},
    exchange::{Broken, source_of},
};

/// The whole body, decompressed. One that is announced as too large is not begun.
pub(super) async fn read(
    mut incoming: Incoming,
    headers: &HeaderMap,
    limits: &Limits,
    deadline: Instant,
) -> Result<Vec<u8>, EgressError> {
    let mut left = limits.sent_bytes;
    if incoming.size_hint().lower() > u64::try_from(left).unwrap_or(u64::MAX) {
        return Err(EgressError::TooLarge);
    }
    let coding = Coding::of(headers).ok_or(EgressError::Invalid(InvalidAnswer::Coding))?;
    let mut body = Vec::new();
    let kept = Kept {
        body: &mut body,
        bound: limits.body_bytes,
    };
    let mut decoder = Decoder::new(coding, kept);
    let mut is_empty = true;
    while let Some(frame) = timeout_at(deadline, incoming.frame())
        .await
        .map_err(|_| EgressError::Timeout)?
    {
        let frame = frame.map_err(|error| Broken::from(&error))?;
        let Some(piece) = frame.data_ref() else { continue };
        left = left.checked_sub(piece.len()).ok_or(EgressError::TooLarge)?;
        is_empty &= piece.is_empty();
        decoder.push(piece).map_err(|error| fault(&error))?;
    }
    // An answer without a body (to HEAD, 204) may name the coding that one would have.
    if !is_empty {
        decoder.finish().map_err(|error| fault(&error))?;
    }
    drop(decoder);
    Ok(body)
}

fn fault(error: &io::Error) -> EgressError {
    match source_of::<Full>(error) {
        Some(Full) => EgressError::TooLarge,
        None => EgressError::Invalid(InvalidAnswer::Damaged),
    }
}

/// The decompressed body so far.
struct Kept<'a> {
    body: &'a mut Vec<u8>,
    bound: usize,
}

#[derive(Debug, thiserror::Error)]
#[error("more than is kept")]
struct Full;

impl Write for Kept<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if piece.len() > self.bound - self.body.len() {
            return Err(io::Error::other(Full));
        }
        self.body.extend_from_slice(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
