//! The files that are kept of a run: its pictures, and all that Lighthouse wrote.

use pharos_artefacts::key::ArtefactKey;
use pharos_domain::ids::{DomainId, RunId};

/// Where the files of the lab lie among artefacts.
const PREFIX: &str = "synthetic";
/// The name of the picture of the page in the end, which is always a JPEG.
pub const LAST: &str = "final.jpg";
/// The name of all that Lighthouse wrote, beside the pictures.
pub const REPORT: &str = "lhr.json.gz";

/// The key of a file of a run.
#[must_use]
pub fn key(domain: DomainId, run: RunId, name: &str) -> Option<ArtefactKey> {
    format!("{PREFIX}/{domain}/{run}/{name}").parse().ok()
}

/// The key that all files of a run lie below.
#[must_use]
pub fn of_run(domain: DomainId, run: RunId) -> Option<ArtefactKey> {
    format!("{PREFIX}/{domain}/{run}").parse().ok()
}

/// The key that all files of a domain lie below.
#[must_use]
pub fn of_domain(domain: DomainId) -> Option<ArtefactKey> {
    format!("{PREFIX}/{domain}").parse().ok()
}
