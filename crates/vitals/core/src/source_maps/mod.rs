//! Source maps: by them frames of a bundled script are shown as they are in its sources.
//!
//! A map is uploaded for a script and a release. Beacons tell no release, so an error is read by the release that was the newest
//! when the first error of its group was seen.

mod frames;
mod map;
mod outline;

use async_trait::async_trait;
use pharos_domain::{audit::Actor, identity::DomainAccess, ids::DomainId, store::StoreError};
use time::OffsetDateTime;
use url::Url;

pub use self::{
    frames::resolved,
    map::{MOST_BYTES, MOST_FILE_BYTES, MapFault, Origin, SourceMap},
};
use crate::redact::redacted_path;

/// How many maps a domain has, at most. The oldest go.
pub const MOST_MAPS: i64 = 500;
/// How large they are together, at most, in bytes.
pub const MOST_BYTES_OF_DOMAIN: i64 = 512 * 1024 * 1024;

/// A map that is to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSourceMap {
    /// The address of the script.
    pub url: String,
    /// The same as frames name it: redacted, as they are.
    pub script: String,
    /// How many sources the script was made of.
    pub sources: u32,
    /// The map, without the sources themselves.
    pub map: Vec<u8>,
}

impl NewSourceMap {
    /// The map in a file such as `cart.js.map`, of a script that is served below `base`.
    ///
    /// # Errors
    /// Why the file is no map of that script.
    pub fn of(file_name: &str, base: &Url, file: &[u8]) -> Result<Self, MapFault> {
        let name = file_name.strip_suffix(".map").ok_or(MapFault::Name)?;
        let map = SourceMap::read(file)?;
        if let Some(said) = map.script()
            && said != name
        {
            return Err(MapFault::AnotherScript {
                said: said.to_owned(),
                name: name.to_owned(),
            });
        }
        let url = base.join(name).map_err(|_| MapFault::Name)?;
        Ok(Self {
            script: redacted_path(url.as_str()),
            url: url.into(),
            sources: map.sources(),
            map: map.without_sources()?,
        })
    }
}

/// A map that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSourceMap {
    /// The release.
    pub release: String,
    /// The address of the script.
    pub url: String,
    /// How many sources the script was made of.
    pub sources: u32,
    /// How large it is, in bytes.
    pub bytes: u32,
    /// When the release was first given it.
    pub uploaded_at: OffsetDateTime,
}

/// Why maps were not kept. None of them was.
#[derive(Debug, thiserror::Error)]
pub enum AddError {
    /// There is no such domain.
    #[error("there is no such domain")]
    NoDomain,
    /// Frames name two scripts of the release alike.
    #[error(
        "frames name {url} as {script}, and another script of the release, too: what looks like a token is taken out of them. \
         Give the scripts names that differ in more than their hashes, or shorter hashes"
    )]
    Alike {
        /// The address of the script.
        url: String,
        /// Its name in frames.
        script: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Keeps source maps.
#[async_trait]
pub trait SourceMapStore: Send + Sync {
    /// Keeps the maps of a release, all of them or none, and says how many older ones went to make room. A script that has a map of
    /// the release has the new one from then on, as if it had been there since the first. A release that was not known
    /// came now.
    async fn add(
        &self,
        domain: DomainId,
        release: &str,
        maps: &[NewSourceMap],
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<usize, AddError>;

    /// The maps of a domain, the newest first.
    async fn list(&self, domain: DomainId) -> Result<Vec<KnownSourceMap>, StoreError>;

    /// Forgets the maps of a release, and says how many there were.
    async fn remove(
        &self,
        domain: DomainId,
        release: &str,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<usize, StoreError>;

    /// The maps of these scripts, as frames name them, that were the newest at a moment; of one that had none yet the first of the
    /// day after.
    async fn of_scripts(
        &self,
        domain: &DomainAccess,
        scripts: &[String],
        at: OffsetDateTime,
    ) -> Result<Vec<(String, Vec<u8>)>, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source_maps::map::tests::MAP;

    fn new(file_name: &str, map: &str) -> Result<NewSourceMap, MapFault> {
        let base = Url::parse("https://shop.example/assets/").unwrap();
        NewSourceMap::of(file_name, &base, map.as_bytes())
    }

    #[test]
    fn a_map_is_of_the_script_that_its_file_is_named_after() {
        let found = new("app.js.map", MAP).unwrap();
        assert_eq!(
            (found.url.as_str(), found.sources),
            ("https://shop.example/assets/app.js", 1)
        );
        let hashed = new(
            "app.9f86d081884c7d659a2f.js.map",
            &MAP.replace("app.js", "app.9f86d081884c7d659a2f.js"),
        )
        .unwrap();
        assert_eq!(hashed.script, "https://shop.example/assets/app.[redacted].js");
        let refused = new("vendor.js.map", MAP).unwrap_err().to_string();
        assert!(
            refused.contains("of app.js") && refused.contains("vendor.js"),
            "{refused}"
        );
        assert!(matches!(new("app.js", MAP), Err(MapFault::Name)));
        let nameless = MAP.replace("\"file\":\"app.js\",", "");
        assert!(
            new("other.js.map", &nameless).is_ok(),
            "a map need not say whose it is"
        );
    }
}
