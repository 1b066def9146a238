//! What measures the pages of a node.

use std::{
    io::{self, Write},
    num::NonZero,
    sync::Arc,
};

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use time::OffsetDateTime;
use tokio::task::spawn_blocking;

use super::{Lab, LoadError, LoadOrder};
use crate::{
    lhr::{self, Load, Unreadable},
    pagespeed::{self, PageSpeed},
};

/// How many cores one browser has to itself, so that figures are not those of the machine's load.
const CORES: usize = 2;

/// What measures the pages of a node.
#[derive(Clone, Debug)]
pub enum Engine {
    /// Lighthouse on a Chromium of this machine.
    Browser(Arc<Lab>),
    /// Lighthouse on a machine of Google's.
    PageSpeed(Arc<PageSpeed>),
}

type Reader = fn(&[u8]) -> Result<Load, Unreadable>;

impl Engine {
    /// How many pages it measures at once: with browsers of its own, one for each pair of cores.
    pub(super) fn most_at_once(&self) -> usize {
        match self {
            Self::Browser(_) => {
                let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
                cores / CORES
            }
            Self::PageSpeed(_) => pagespeed::AT_ONCE,
        }
    }

    /// Measures a page once.
    ///
    /// # Errors
    /// There is no result. A page that can't be measured has one, which says so.
    pub(super) async fn load(&self, order: LoadOrder<'_>, now: OffsetDateTime) -> Result<Load, LoadError> {
        let has_secrets = !order.secrets.is_empty();
        let (result, read) = match self {
            Self::Browser(lab) => (lab.result(order).await?, lhr::read as Reader),
            Self::PageSpeed(google) => (google.result(order, now).await?, pagespeed::read as Reader),
        };
        // A result has megabytes.
        let load = spawn_blocking(move || whole(&result, read, has_secrets)).await;
        Ok(load.map_err(io::Error::from)??)
    }
}

/// The load with the result itself, which has whole URLs. It is not kept of a page that is reached by secrets: its URLs may have more
/// of them.
fn whole(result: &[u8], read: Reader, has_secrets: bool) -> Result<Load, Unreadable> {
    let load = read(result)?;
    let report = if has_secrets {
        None
    } else {
        compressed(result).ok()
    };
    Ok(Load { report, ..load })
}

fn compressed(result: &[u8]) -> io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(result)?;
    Ok(encoder.finish()?.into())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn a_result_is_kept_as_it_was_written() {
        let written = br#"{"lighthouseVersion":"13.5.0","audits":{}}"#;
        let load = whole(written, lhr::read, false).unwrap();
        let mut report = Vec::new();
        GzDecoder::new(load.report.unwrap().as_ref())
            .read_to_end(&mut report)
            .unwrap();
        assert_eq!(report, written);
        let load = whole(written, lhr::read, true).unwrap();
        assert_eq!(load.report, None, "of a page with secrets");
    }

    #[test]
    fn a_result_of_google_says_so() {
        let load = whole(br#"{"runWarnings":["slow"]}"#, pagespeed::read, false).unwrap();
        assert_eq!(load.summary.run_warnings, ["slow", pagespeed::WARNING]);
    }
}
