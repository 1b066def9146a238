//! Reads a body up to a bound, and looks for the keyword in it on the way.

use std::io::{self, Write};

use http::header::HeaderMap;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use pharos_egress::coding::{Coding, Decoder};
use pharos_egress::exchange::Broken;
use tokio::time::{Instant, timeout_at};

use super::keyword::KeywordSearch;
use super::report::{ProbeError, ProbeReport};
use crate::error_class::ErrorClass;

const DOWNLOAD: &str = "the download of the body";

/// Reads the body to its end or to the bound, whichever comes first, and notes size and time.
///
/// A body beyond the bound fails only if the keyword has not been found by then: what was read is enough
/// to say that the site answers, but not that the rest lacks the keyword.
pub(super) async fn read(
    mut body: Incoming,
    mut inspection: Option<Inspection>,
    bound: usize,
    deadline: Instant,
    report: &mut ProbeReport,
) -> Result<(), ProbeError> {
    let started = Instant::now();
    let mut size = 0_usize;
    let complete = loop {
        let frame = match timeout_at(deadline, body.frame()).await {
            Ok(None) => break true,
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => return Err(ProbeError::broken(Broken::from(&error), DOWNLOAD)),
            Err(_) => return Err(ProbeError::read_timeout(DOWNLOAD)),
        };
        let Some(piece) = frame.data_ref() else { continue };
        size = size.saturating_add(piece.len());
        if let Some(inspection) = &mut inspection {
            inspection.push(piece);
        }
        if size > bound || inspection.as_ref().is_some_and(Inspection::beyond_bound) {
            break false;
        }
    };
    report.download = Some(started.elapsed());
    report.response_bytes = u64::try_from(size).ok();
    report.body_complete = Some(complete);
    match inspection.map(|inspection| inspection.finish(complete)) {
        None => Ok(()),
        Some(Ok(found)) => {
            report.keyword_matched = Some(found);
            Ok(())
        }
        Some(Err(error)) => Err(error),
    }
}

/// The search for a keyword in what comes out of decompression.
pub(super) struct Inspection {
    /// `None`: the body is compressed in a way that was not asked for.
    decoder: Option<Decoder<Sink>>,
    damaged: bool,
}

impl Inspection {
    pub(super) fn new(keyword: &str, headers: &HeaderMap, bound: usize) -> Self {
        let sink = Sink {
            search: KeywordSearch::new(keyword),
            left: bound,
            beyond: false,
        };
        let coding = Coding::of(headers).filter(|coding| *coding != Coding::Deflate);
        Self {
            decoder: coding.map(|coding| Decoder::new(coding, sink)),
            damaged: false,
        }
    }

    fn push(&mut self, piece: &[u8]) {
        if self.damaged || self.settled() {
            return;
        }
        let outcome = self.decoder.as_mut().map(|decoder| decoder.push(piece));
        self.damaged = matches!(outcome, Some(Err(_))) && !self.settled();
    }

    fn sink(&self) -> Option<&Sink> {
        self.decoder.as_ref().map(Decoder::sink)
    }

    /// More came out than is looked through, and the keyword was not in it.
    fn beyond_bound(&self) -> bool {
        self.sink()
            .is_some_and(|sink| sink.beyond && !sink.search.found())
    }

    fn settled(&self) -> bool {
        self.sink().is_some_and(|sink| sink.beyond || sink.search.found())
    }

    fn finish(mut self, complete: bool) -> Result<bool, ProbeError> {
        // The decoder holds back what it has not flushed, and only its end shows whether it was whole.
        if let Some(decoder) = &mut self.decoder
            && complete
            && !self.damaged
            && decoder.finish().is_err()
        {
            self.damaged = !self.settled();
        }
        let Some(sink) = self.sink() else {
            return Err(ProbeError::unknown(
                "The body is compressed in a way that was not asked for, so the keyword cannot be looked for.",
            ));
        };
        if sink.search.found() {
            return Ok(true);
        }
        if self.damaged {
            return Err(ProbeError::unknown(
                "The compressed body is damaged, so the keyword cannot be looked for.",
            ));
        }
        if sink.beyond || !complete {
            return Err(ProbeError::new(
                ErrorClass::BodyTooLarge,
                "The body is larger than the part in which the keyword is looked for.",
            ));
        }
        Ok(false)
    }
}

/// Takes what is decompressed in small pieces and keeps none of it, so that a few bytes which unfold to
/// gigabytes cost no memory, and little time: it stops the decoder at the bound.
struct Sink {
    search: KeywordSearch,
    left: usize,
    beyond: bool,
}

impl Write for Sink {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let within = &piece[..piece.len().min(self.left)];
        self.search.push(within);
        self.left -= within.len();
        self.beyond |= within.len() < piece.len();
        if self.beyond || self.search.found() {
            return Err(io::Error::other("nothing more to look for"));
        }
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
