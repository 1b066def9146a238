//! The parts that the lists of downloads and of links to other hosts share.

use pharos_analytics::actions::{ActionFigures, Actions, extension, file_name, host};
use pharos_domain::window::Meta;
use pharos_http::operation::Example;
use serde::Serialize;
use utoipa::ToSchema;

/// A file that was downloaded, or an address on another host that was followed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LinksPublic)]
pub(super) struct LinkPublic {
    /// The address, without query and fragment.
    url: String,
    /// The host that the link leads to.
    domain: String,
    /// The name of the file; null where the address ends with a slash or has no path.
    #[schema(required)]
    file_name: Option<String>,
    /// The file's extension in lower case; null where the address has none.
    #[schema(required)]
    extension: Option<String>,
    /// How often it was followed.
    #[schema(minimum = 0)]
    clicks: u64,
    /// The distinct visitors of each UTC day who followed it, added up.
    #[schema(minimum = 0)]
    visitors: u64,
    /// The page on which it was followed most often; null where that is not known.
    #[schema(required)]
    top_page: Option<String>,
}

impl From<ActionFigures> for LinkPublic {
    fn from(action: ActionFigures) -> Self {
        let domain = host(&action.name).to_owned();
        let path = action.name.split_once("://").map_or("", |(_, rest)| rest);
        let is_some = |text: &String| !text.is_empty();
        let file = path.split_once('/').map(|(_, path)| file_name(path).to_owned());
        let extension = path.split_once('/').map(|(_, path)| extension(path));
        Self {
            domain,
            file_name: file.filter(is_some),
            extension: extension.filter(is_some),
            clicks: action.count,
            visitors: action.visitors,
            top_page: action.top_page,
            url: action.name,
        }
    }
}

/// The members of the answer beside the list of links.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsLinksRoot)]
pub(super) struct LinksRoot {
    /// How often all of them were followed.
    #[schema(minimum = 0)]
    total_clicks: u64,
    /// How many there are.
    #[schema(minimum = 0)]
    total_links: u64,
    /// How often files of each extension were downloaded, most often first; empty for links to other hosts.
    extensions: Vec<ExtensionPublic>,
    /// The window in force, which the figures are of.
    meta: Meta,
}

impl LinksRoot {
    pub(super) fn new(found: &Actions, meta: Meta) -> Self {
        let extension = |(extension, clicks): &(String, u64)| ExtensionPublic {
            extension: extension.clone(),
            clicks: *clicks,
        };
        Self {
            total_clicks: found.count,
            total_links: found.total,
            extensions: found.extensions.iter().map(extension).collect(),
            meta,
        }
    }
}

/// Files with one extension.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsDownloadExtension)]
pub(super) struct ExtensionPublic {
    /// The extension in lower case; empty where the address no longer shows one.
    extension: String,
    /// How often they were downloaded.
    #[schema(minimum = 0)]
    clicks: u64,
}

impl Example for LinkPublic {
    fn example() -> Self {
        Self {
            url: "https://shop.example/files/catalogue.pdf".to_owned(),
            domain: "shop.example".to_owned(),
            file_name: Some("catalogue.pdf".to_owned()),
            extension: Some("pdf".to_owned()),
            clicks: 48,
            visitors: 41,
            top_page: Some("/downloads".to_owned()),
        }
    }
}

impl Example for LinksRoot {
    fn example() -> Self {
        Self {
            total_clicks: 48,
            total_links: 1,
            extensions: vec![ExtensionPublic {
                extension: "pdf".to_owned(),
                clicks: 48,
            }],
            meta: Meta::example(),
        }
    }
}
