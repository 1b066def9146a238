//! The engine that measures the pages of a node.

use std::{
    io::{self, Write},
    num::NonZero,
    sync::Arc,
};

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use time::OffsetDateTime;
use tokio::task::spawn_blocking;

use super::{Done, Lab, LoadError, LoadOrder};
use crate::{
    lhr::{self, Load, Unreadable},
    pagespeed::{self, PageSpeed},
    result::RuntimeError,
};

/// How many cores one browser has to itself, so that figures are not those of the machine's load.
const CORES: usize = 2;
/// Lighthouse's code of a page in whose place Chromium showed one of its own.
const INTERSTITIAL: &str = "chrome_interstitial_error";
/// The code of a page at an address that the policy refuses, in its place: our own, since Lighthouse does not know why.
const ADDRESS_REFUSED: &str = "address_refused";
/// The same in words. Where the name leads is not for everybody to read.
const WHY_REFUSED: &str = "The page, or one that it redirects to, lies at an address that this Pharos does not go to: tests reach public \
                           addresses alone, and those that its operator allows (probe_networks).";

/// The engine that measures the pages of a node.
#[derive(Clone, Debug)]
pub enum Engine {
    /// Lighthouse on a Chromium of this machine.
    Browser(Arc<Lab>),
    /// Lighthouse on a machine of Google's.
    PageSpeed(Arc<PageSpeed>),
}

/// How many refused hosts a warning names.
const MOST_NAMED: usize = 5;

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
        let (result, read, refused) = match self {
            Self::Browser(lab) => {
                let Done { output, refused } = lab.measured(order).await?;
                (output, lhr::read as Reader, refused)
            }
            Self::PageSpeed(google) => {
                let result = google.result(order, now).await?;
                (result, pagespeed::read as Reader, Vec::new())
            }
        };
        // A result has megabytes.
        let load = spawn_blocking(move || whole(&result, read, has_secrets)).await;
        let load = load.map_err(io::Error::from)??;
        Ok(with_refusals(load, &refused, has_secrets))
    }
}

/// Where the proxy refused an address, and Chromium could not show the page, that is why. If the page could be shown, a part of it
/// is missing, which a warning tells.
fn with_refusals(mut load: Load, hosts: &[String], has_secrets: bool) -> Load {
    if hosts.is_empty() {
        return load;
    }
    match &mut load.summary.runtime_error {
        Some(error) if error.code == INTERSTITIAL => {
            *error = RuntimeError {
                code: ADDRESS_REFUSED.to_owned(),
                message: WHY_REFUSED.to_owned(),
            };
        }
        _ => load.summary.run_warnings.push(refusals(hosts, has_secrets)),
    }
    load
}

/// The hosts whose addresses were refused, and why, in words. A page may put its secrets into the name of a host, so those of a page
/// that has some are not told.
fn refusals(hosts: &[String], has_secrets: bool) -> String {
    let named = match hosts {
        [_] if has_secrets => "a host".to_owned(),
        hosts if has_secrets => format!("{} hosts", hosts.len()),
        [first @ .., _] if first.len() >= MOST_NAMED => {
            let more = hosts.len() - MOST_NAMED;
            format!("{} and {more} more", hosts[..MOST_NAMED].join(", "))
        }
        hosts => hosts.join(", "),
    };
    format!(
        "The requests of the page to {named} were refused, and what they bring is missing, which may have changed its scores: \
         tests reach public addresses alone, and those that the operator of this Pharos allows (probe_networks)."
    )
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
    fn a_refused_address_is_the_reason_of_a_page_that_could_not_be_shown_alone() {
        let code = |result: &[u8]| {
            let load = with_refusals(lhr::read(result).unwrap(), &["shop.example".to_owned()], false);
            load.summary.runtime_error.map(|error| error.code)
        };
        let failed = br#"{"runtimeError":{"code":"CHROME_INTERSTITIAL_ERROR","message":"Chrome prevented page load"}}"#;
        assert_eq!(code(failed).as_deref(), Some(ADDRESS_REFUSED));
        let missing = br#"{"runtimeError":{"code":"ERRORED_DOCUMENT_REQUEST","message":"Status code: 404"}}"#;
        assert_eq!(code(missing).as_deref(), Some("errored_document_request"));
        assert_eq!(code(b"{}"), None);
    }

    #[test]
    fn a_page_that_was_shown_without_what_was_refused_is_told_of_the_hosts() {
        let warnings = |count: usize, has_secrets| {
            let hosts: Vec<String> = (1..=count).map(|at| format!("{at}.example")).collect();
            let load = with_refusals(lhr::read(b"{}").unwrap(), &hosts, has_secrets);
            load.summary.run_warnings
        };
        assert_eq!(warnings(0, false), [""; 0]);
        let told = |count, has_secrets| warnings(count, has_secrets).concat();
        for (count, has_secrets, named) in [
            (2, false, "to 1.example, 2.example were refused"),
            (7, false, "4.example, 5.example and 2 more were refused"),
            (1, true, "to a host were refused"),
            (2, true, "to 2 hosts were refused"),
        ] {
            let told = told(count, has_secrets);
            assert!(told.contains(named) && told.contains("probe_networks"), "{told}");
        }
    }

    #[test]
    fn a_result_of_google_says_so() {
        let load = whole(br#"{"runWarnings":["slow"]}"#, pagespeed::read, false).unwrap();
        assert_eq!(load.summary.run_warnings, ["slow", pagespeed::WARNING]);
    }
}
