//! Content codings of a body (RFC 9110, section 8.4), undone as it comes.

use std::io::{self, Write};

use flate2::write::MultiGzDecoder;
use flate2::{Decompress, FlushDecompress, Status};
use http::header::{CONTENT_ENCODING, HeaderMap};

/// How a body is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// Not at all.
    Identity,
    /// gzip (RFC 1952).
    Gzip,
    /// zlib (RFC 1950), which HTTP calls deflate.
    Deflate,
}

impl Coding {
    /// The coding that a head names; `None` if it is none of these, or several on top of each other.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let mut named = headers.get_all(CONTENT_ENCODING).iter();
        let coding = named
            .next()
            .map(|value| value.as_bytes().trim_ascii().to_ascii_lowercase());
        match coding.as_deref() {
            _ if named.next().is_some() => None,
            None | Some(b"" | b"identity") => Some(Self::Identity),
            Some(b"gzip" | b"x-gzip") => Some(Self::Gzip),
            Some(b"deflate") => Some(Self::Deflate),
            Some(_) => None,
        }
    }
}

/// Hands on what a body holds once its coding is undone, in small pieces. It keeps none of it, so that whoever takes
/// the pieces sets the bound: their error stops the decoder.
#[derive(Debug)]
pub struct Decoder<W: Write>(Undo<W>);

#[derive(Debug)]
enum Undo<W: Write> {
    Identity(W),
    Gzip(Box<MultiGzDecoder<W>>),
    Deflate(Box<Inflate<W>>),
}

impl<W: Write> Decoder<W> {
    /// Hands on to `sink`.
    pub fn new(coding: Coding, sink: W) -> Self {
        Self(match coding {
            Coding::Identity => Undo::Identity(sink),
            Coding::Gzip => Undo::Gzip(Box::new(MultiGzDecoder::new(sink))),
            Coding::Deflate => Undo::Deflate(Box::new(Inflate::new(sink))),
        })
    }

    /// Takes the next piece of the body.
    ///
    /// # Errors
    /// The body is damaged, or the sink refused.
    pub fn push(&mut self, piece: &[u8]) -> io::Result<()> {
        match &mut self.0 {
            Undo::Identity(sink) => sink.write_all(piece),
            Undo::Gzip(decoder) => decoder.write_all(piece),
            Undo::Deflate(inflate) => inflate.push(piece),
        }
    }

    /// Hands on what was held back, once the body is at its end.
    ///
    /// # Errors
    /// The body was not whole, or the sink refused.
    pub fn finish(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Undo::Identity(_) => Ok(()),
            Undo::Gzip(decoder) => decoder.try_finish(),
            Undo::Deflate(inflate) if inflate.is_ended => Ok(()),
            Undo::Deflate(_) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// The writer that it hands on to.
    pub fn sink(&self) -> &W {
        match &self.0 {
            Undo::Identity(sink) => sink,
            Undo::Gzip(decoder) => decoder.get_ref(),
            Undo::Deflate(inflate) => &inflate.sink,
        }
    }
}

/// flate2's own writer takes a body that breaks off for a whole one.
#[derive(Debug)]
struct Inflate<W> {
    inner: Decompress,
    sink: W,
    is_ended: bool,
}

impl<W: Write> Inflate<W> {
    fn new(sink: W) -> Self {
        Self {
            inner: Decompress::new(true),
            sink,
            is_ended: false,
        }
    }

    fn push(&mut self, mut piece: &[u8]) -> io::Result<()> {
        let mut inflated = [0; 8 * 1024];
        while !self.is_ended {
            let (taken, given) = (self.inner.total_in(), self.inner.total_out());
            let status = self
                .inner
                .decompress(piece, &mut inflated, FlushDecompress::None)?;
            let taken = usize::try_from(self.inner.total_in() - taken).unwrap_or(piece.len());
            let given = usize::try_from(self.inner.total_out() - given).unwrap_or(inflated.len());
            self.sink.write_all(inflated.get(..given).unwrap_or_default())?;
            piece = piece.get(taken..).unwrap_or_default();
            self.is_ended = status == Status::StreamEnd;
            if taken == 0 && given == 0 {
                break;
            }
        }
        // Something after the end is no part of it.
        if piece.is_empty() {
            Ok(())
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    }
}
