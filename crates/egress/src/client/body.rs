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

/// The fate of a body that is larger than is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Most {
    /// It is refused; one that is announced as too large is not begun.
    Refused,
    /// It is cut.
    Cut,
}

/// The body, decompressed.
pub(super) async fn read(
    mut incoming: Incoming,
    headers: &HeaderMap,
    limits: &Limits,
    most: Most,
    deadline: Instant,
) -> Result<Vec<u8>, EgressError> {
    let mut left = limits.sent_bytes;
    if most == Most::Refused && incoming.size_hint().lower() > u64::try_from(left).unwrap_or(u64::MAX) {
        return Err(EgressError::TooLarge);
    }
    let coding = Coding::of(headers).ok_or(EgressError::Invalid(InvalidAnswer::Coding))?;
    let mut body = Vec::new();
    let kept = Kept {
        body: &mut body,
        bound: limits.body_bytes,
    };
    let mut decoder = Decoder::new(coding, kept);
    let (mut is_empty, mut is_cut) = (true, false);
    while let Some(frame) = timeout_at(deadline, incoming.frame())
        .await
        .map_err(|_| EgressError::Timeout)?
    {
        let frame = frame.map_err(|error| Broken::from(&error))?;
        let Some(piece) = frame.data_ref() else { continue };
        is_cut = piece.len() > left;
        if is_cut && most == Most::Refused {
            return Err(EgressError::TooLarge);
        }
        let piece = piece.get(..left).unwrap_or(piece);
        left -= piece.len();
        is_empty &= piece.is_empty();
        match decoder.push(piece).map_err(|error| fault(&error)) {
            Err(EgressError::TooLarge) if most == Most::Cut => is_cut = true,
            pushed => pushed?,
        }
        if is_cut {
            break;
        }
    }
    // An answer without a body (to HEAD, 204) may name the coding that one would have.
    if !is_empty && !is_cut {
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
        let room = self.bound - self.body.len();
        self.body.extend_from_slice(piece.get(..room).unwrap_or(piece));
        if piece.len() > room {
            return Err(io::Error::other(Full));
        }
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
