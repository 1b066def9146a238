//! The manifest of a backup, which describes it.

use anyhow::Context;
use pharos_domain::timestamp::Timestamp;
use semver::Version;
use serde::{Deserialize, Serialize};

/// The version of the file's form. It changes when an older Pharos could not read it.
pub(in crate::backup) const FORMAT: u32 = 1;

/// The description of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::backup) struct Manifest {
    /// The version of the file's form.
    pub(in crate::backup) format: u32,
    /// The version of the Pharos that made it.
    pub(in crate::backup) pharos: String,
    /// The moment that it is of.
    pub(in crate::backup) created_at: Timestamp,
    /// The major version of the server.
    pub(in crate::backup) postgresql: u32,
    /// The major version of the program that dumped it, which an older one does not understand.
    pub(in crate::backup) pg_dump: u32,
    /// The versions of the migrations that had run.
    pub(in crate::backup) migrations: Vec<String>,
    /// A digest of the key that seals secrets, wherever that lay.
    pub(in crate::backup) sealed_by: Option<String>,
}

#[derive(Deserialize)]
struct Form {
    format: u32,
    pharos: String,
}

impl Manifest {
    /// Reads it.
    ///
    /// # Errors
    /// It is none, or is one of a newer Pharos than this.
    pub(in crate::backup) fn read(json: &[u8], known: &[String]) -> anyhow::Result<Self> {
        let what = "the manifest can't be read: the file is no backup of Pharos, or was altered";
        // The other members are for who knows the form.
        let form: Form = serde_json::from_slice(json).context(what)?;
        let newer = || {
            format!(
                "the backup was made by Pharos {}, and this is {}, which is older: restore it with that version or a \
                 newer one",
                form.pharos,
                env!("CARGO_PKG_VERSION")
            )
        };
        anyhow::ensure!(form.format <= FORMAT, newer());
        let manifest: Self = serde_json::from_slice(json).context(what)?;
        let (theirs, ours) = (
            Version::parse(&manifest.pharos).context(what)?,
            Version::parse(env!("CARGO_PKG_VERSION"))?,
        );
        let knows_all = manifest.migrations.iter().all(|version| known.contains(version));
        anyhow::ensure!(theirs <= ours && knows_all, newer());
        Ok(manifest)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_of_a_newer_pharos_is_refused_whatever_else_it_has() {
        let read = |manifest: &serde_json::Value| {
            let known = ["20261101000000".to_owned()];
            Manifest::read(manifest.to_string().as_bytes(), &known).map_err(|error| format!("{error:#}"))
        };
        let good = json!({
            "format": 1, "pharos": "0.1.0", "created_at": "2026-11-26T12:00:00Z", "postgresql": 15,
            "pg_dump": 15, "migrations": ["20261101000000"], "sealed_by": null,
        });
        assert_eq!(read(&good).unwrap().postgresql, 15);
        let but = |name: &str, value: serde_json::Value| {
            let mut manifest = good.clone();
            manifest[name] = value;
            read(&manifest).unwrap_err()
        };
        assert!(but("pharos", "99.0.0".into()).contains("made by Pharos 99.0.0"));
        assert!(but("migrations", json!(["20270101000000"])).contains("which is older"));
        assert!(
            read(&json!({"format": 2, "pharos": "99.0.0"}))
                .unwrap_err()
                .contains("99.0.0")
        );
        assert!(but("postgresql", "fifteen".into()).contains("was altered"));
        assert!(read(&json!([])).unwrap_err().contains("no backup of Pharos"));
    }
}
