//! `pharos admin source-map`

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use clap::Subcommand;
use pharos_domain::{ids::DomainId, timestamp::Timestamp};
use pharos_vitals::{
    releases::{MOST_RELEASE, is_release},
    source_maps::{KnownSourceMap, MOST_FILE_BYTES, MapFault, NewSourceMap, SourceMapStore},
};
use serde::Serialize;
use serde_json::json;
use url::Url;

use super::{Answer, Desk};

/// How many maps are added at once, at most.
const AT_ONCE: usize = 200;

/// Manage the source maps of a domain's scripts.
#[derive(Debug, Subcommand)]
pub enum SourceMapCommand {
    /// Add the maps of a release, all of them or none. Run it once the release is built, before it is served.
    Add {
        /// The domain.
        domain: DomainId,
        /// The name of the release, such as 2026.11.3.
        #[arg(long)]
        release: String,
        /// Where the scripts are served, such as https://shop.example/assets/.
        #[arg(long)]
        url: Url,
        /// The maps, each named after its script: cart.js.map.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// List the maps of a domain, the newest first.
    List {
        /// The domain.
        domain: DomainId,
    },
    /// Forget the maps of a release.
    Remove {
        /// The domain.
        domain: DomainId,
        /// The name of the release.
        #[arg(long)]
        release: String,
    },
}

#[derive(Serialize)]
struct MapView {
    release: String,
    script: String,
    sources: u32,
    bytes: u32,
    uploaded_at: String,
}

impl From<KnownSourceMap> for MapView {
    fn from(map: KnownSourceMap) -> Self {
        let KnownSourceMap {
            release,
            url,
            sources,
            bytes,
            uploaded_at,
        } = map;
        Self {
            release,
            script: url,
            sources,
            bytes,
            uploaded_at: Timestamp::from(uploaded_at).to_string(),
        }
    }
}

pub(super) async fn run(command: SourceMapCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let store = desk.ports.get::<dyn SourceMapStore>()?;
    match command {
        SourceMapCommand::Add {
            domain,
            release,
            url,
            files,
        } => {
            let maps = maps(&release, &url, &files)?;
            let removed = store
                .add(domain, &release, &maps, &desk.actor, desk.now)
                .await
                .with_context(|| format!("the maps of {release} are not added to {domain}"))?;
            Answer::new(json!({ "release": release, "added": maps.len(), "older_ones_removed": removed }))
        }
        SourceMapCommand::List { domain } => {
            let listed = store.list(domain).await?;
            Answer::new(listed.into_iter().map(MapView::from).collect::<Vec<_>>())
        }
        SourceMapCommand::Remove { domain, release } => {
            let removed = store.remove(domain, &release, &desk.actor, desk.now).await?;
            if removed == 0 {
                bail!(
                    "{domain} has no maps of a release {release}; pharos admin source-map list has them all"
                );
            }
            Answer::new(json!({ "release": release, "removed": removed }))
        }
    }
}

/// The maps of the files, or all of their faults.
fn maps(release: &str, url: &Url, files: &[PathBuf]) -> anyhow::Result<Vec<NewSourceMap>> {
    if !is_release(release) {
        bail!("a release is named by 1 to {MOST_RELEASE} characters, none of them a control character");
    }
    let is_folder = matches!(url.scheme(), "https" | "http") && url.path().ends_with('/');
    if !is_folder || url.query().is_some() || url.fragment().is_some() {
        bail!("--url is an https:// or http:// URL that ends with /, as https://shop.example/assets/ does");
    }
    if files.len() > AT_ONCE {
        bail!(
            "{} files are too many at once: {AT_ONCE} are the most",
            files.len()
        );
    }
    let (mut maps, mut faults) = (Vec::with_capacity(files.len()), Vec::new());
    for file in files {
        match map(url, file) {
            Ok(map) => maps.push(map),
            Err(fault) => faults.push(format!("{}: {fault}", file.display())),
        }
    }
    if !faults.is_empty() {
        bail!("nothing was added: {}", faults.join("; "));
    }
    Ok(maps)
}

fn map(url: &Url, file: &Path) -> anyhow::Result<NewSourceMap> {
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.ok_or(MapFault::Name)?;
    let opened = File::open(file)?;
    let length = opened.metadata()?.len();
    if length > MOST_FILE_BYTES {
        return Err(MapFault::TooLarge(length).into());
    }
    let mut text = Vec::new();
    // One that grows meanwhile is refused by its size, and not read to its end.
    opened.take(MOST_FILE_BYTES + 1).read_to_end(&mut text)?;
    Ok(NewSourceMap::of(name, url, &text)?)
}
