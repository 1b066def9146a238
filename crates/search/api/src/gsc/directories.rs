//! GET /domains/{domain_id}/gsc/directories

use pharos_domain::{identity::DomainAccess, module_block::SearchFigures, page::Page, window::Meta};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging, Window},
};
use pharos_search::gsc::{
    days::DataState,
    directories::{DEEPEST, Directory, DirectoryReads},
    figures::SearchType,
    property::PropertyStore,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parts::{BASE, EXAMPLE, OfSearchType, WindowRoot, linked};

/// How many rows an answer has at most.
const MOST_ROWS: u16 = 1_000;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listGscDirectories",
    path: "/domains/{domain_id}/gsc/directories",
    summary: "Pages by the directories that they lie in",
    description: "Over the last 28 days, counted by page, the most clicks first; 1,000 at most, `total_directories` says how many there \
                  are. A directory is the segments of a path that end in a slash, `depth` of them at most: each page lies in exactly \
                  one, so rows add up. Hosts are merged.",
    paging: Paging::Single,
    window: Window::Fixed,
    ..BASE
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct DirectoriesParameters {
    /// How many segments a directory has at most.
    #[param(minimum = 1, maximum = 3, default = 1)]
    depth: u8,
}

impl Default for DirectoriesParameters {
    fn default() -> Self {
        Self { depth: 1 }
    }
}

pub(super) async fn list(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<28>,
    Query(OfSearchType { search_type }): Query<OfSearchType>,
    Query(parameters): Query<DirectoriesParameters>,
    properties: Port<dyn PropertyStore>,
    directories: Port<dyn DirectoryReads>,
) -> ApiResult<Page<DirectoryPublic, DirectoriesRoot>> {
    let depth = parameters.depth.clamp(1, DEEPEST);
    let property = linked(&access, &properties).await?;
    let (found, total) = directories
        .directories(&access, search_type, asked.window, depth, MOST_ROWS)
        .await?;
    let items = found.into_iter().map(DirectoryPublic::from).collect();
    let WindowRoot {
        search_type,
        data_state,
        meta,
    } = WindowRoot::new(search_type, &property, &asked);
    Ok(Page::single(items).with(DirectoriesRoot {
        depth,
        total_directories: total,
        search_type,
        data_state,
        meta,
    }))
}

/// The further fields of the list's envelope.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchDirectoriesRoot)]
pub(super) struct DirectoriesRoot {
    /// How many segments a directory has at most.
    #[schema(minimum = 1, maximum = 3)]
    depth: u8,
    /// How many directories there are, also those that are not listed.
    #[schema(minimum = 0)]
    total_directories: u64,
    /// Where in Google's products the site appeared.
    search_type: SearchType,
    /// Whether the figures may still change.
    data_state: DataState,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// A directory.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchDirectory)]
pub(super) struct DirectoryPublic {
    /// Its path, with a slash at either end: `/blog/`. The root is `/`.
    path_prefix: String,
    /// How many segments it has; the root has none.
    #[schema(minimum = 0, maximum = 3)]
    depth: usize,
    /// How many of its pages were seen.
    #[schema(minimum = 0)]
    pages_count: u64,
    #[serde(flatten)]
    figures: SearchFigures,
}

impl From<Directory> for DirectoryPublic {
    fn from(directory: Directory) -> Self {
        Self {
            depth: directory.depth(),
            path_prefix: directory.prefix,
            pages_count: directory.pages,
            figures: directory.figures.into(),
        }
    }
}

impl Example for DirectoryPublic {
    fn example() -> Self {
        Self {
            path_prefix: "/blog/".to_owned(),
            depth: 1,
            pages_count: 41,
            figures: EXAMPLE,
        }
    }
}

impl Example for DirectoriesRoot {
    fn example() -> Self {
        Self {
            depth: 1,
            total_directories: 12,
            search_type: SearchType::Web,
            data_state: DataState::Final,
            meta: Meta::example(),
        }
    }
}
