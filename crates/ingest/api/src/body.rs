//! The body of a beacon.

use std::io::{self, Write};

use actix_web::{HttpRequest, dev::Payload, http::header};
use bytes::Bytes;
use pharos_domain::problem::Suffix;
use pharos_egress::coding::{Coding, Decoder};
use pharos_http::{
    extract::body::{read_up_to, too_large},
    problem::{Fault, Problem},
};

/// The largest body, also once its coding is undone.
pub(crate) const MOST_BYTES: usize = 64 * 1024;

/// Reads the body. `sendBeacon` sends it as `text/plain`, and so does the tracker, since browsers ask nobody before that.
///
/// # Errors
/// Another media type or coding, a body that is too large, damaged, or does not come.
pub(crate) async fn read(request: &HttpRequest, payload: Payload) -> Result<Bytes, Problem> {
    let refuse = |detail: &str| Err(Problem::new(Suffix::UnsupportedMediaType, detail));
    let text = |name| {
        request
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap_or("?").trim())
    };
    let kind = text(header::CONTENT_TYPE).map(|kind| kind.split(';').next().unwrap_or_default().trim());
    if !kind.is_none_or(|kind| {
        kind.eq_ignore_ascii_case("text/plain") || kind.eq_ignore_ascii_case("application/json")
    }) {
        return refuse("Send the body as Content-Type: text/plain or application/json.");
    }
    let is_packed = match text(header::CONTENT_ENCODING) {
        None | Some("" | "identity") => false,
        Some(coding) if coding.eq_ignore_ascii_case("gzip") => true,
        Some(_) => return refuse("Send the body without a Content-Encoding, or with gzip."),
    };
    let body = read_up_to(request, payload, MOST_BYTES).await?;
    if is_packed { unpacked(&body) } else { Ok(body) }
}

/// The content of a gzip body, read no further than it may be large.
fn unpacked(body: &[u8]) -> Result<Bytes, Problem> {
    let mut decoder = Decoder::new(Coding::Gzip, Bounded(Vec::new()));
    let read = decoder.push(body).and_then(|()| decoder.finish());
    match read {
        Ok(()) => Ok(Bytes::copy_from_slice(&decoder.sink().0)),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Err(too_large(MOST_BYTES)),
        Err(_) => Err(Problem::invalid(vec![Fault::pointer(
            "",
            "not gzip, or not all of it",
        )])),
    }
}

/// Takes as much as a body may have.
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if self.0.len() + piece.len() > MOST_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
