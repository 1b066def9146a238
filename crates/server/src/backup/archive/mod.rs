//! The file of a backup: a tar archive that any tar reads. `manifest.json` comes first, `SHA256SUMS` last: without that
//! the file is half, and with it `sha256sum -c` checks what was unpacked by hand.

mod check;
mod manifest;
mod read;
mod write;

pub(super) use self::{
    check::{Checked, Kind, check, kind},
    manifest::{FORMAT, Manifest},
    read::{Member, Members},
    write::ArchiveWriter,
};

/// The member that says what the file is.
const MANIFEST: &str = "manifest.json";
/// The last member: the digest of each of the others.
const SUMS: &str = "SHA256SUMS";
/// The dump of the database.
pub(super) const DUMP: &str = "database.dump";
/// The folder of the artefacts, each by its key.
pub(super) const ARTEFACTS: &str = "artefacts/";
/// The folder of the keys that lie in the data folder.
pub(super) const KEYS: &str = "keys/";
