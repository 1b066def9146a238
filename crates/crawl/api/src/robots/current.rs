//! GET /domains/{domain_id}/robots/current

use pharos_crawl::robots::{
    file::RobotsFile,
    monitor::{fetch::RedirectStep, site::CurrentVersion, store::RobotsStore},
    outcome::RobotsState,
};
use pharos_domain::{
    identity::DomainAccess, module::Module, problem::Suffix, scope::Scope, timestamp::Timestamp, wire_enum,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec},
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;

use super::{current, site};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getRobotsCurrent",
    path: "/domains/{domain_id}/robots/current",
    module: Module::Robots,
    summary: "The text of the robots.txt, and how it was fetched",
    description: "Where the last fetch failed it is the last good version. `content` holds what crawlers read, the first \
                  500 KiB; bytes that are not UTF-8 are shown as U+FFFD.",
    scope: Some(Scope::ReadRobots),
    credits: Credits::Cheap,
    cache_seconds: 300,
    problems: &[Suffix::RobotsNotFound],
    ..OperationSpec::GET
};

pub(super) async fn view(
    access: DomainAccess,
    store: Port<dyn RobotsStore>,
) -> ApiResult<RobotsCurrentPublic> {
    let site = site(&access, &*store).await?;
    Ok(RobotsCurrentPublic::new(current(&site)?))
}

wire_enum! {
    /// How the bytes of a robots.txt spell characters.
    RobotsEncoding {
        /// UTF-8, as crawlers expect it.
        Utf8 = "utf-8",
        /// UTF-16, which crawlers do not read.
        Utf16 = "utf-16",
        /// Something else.
        Unknown = "unknown",
    }
}

impl RobotsEncoding {
    fn of(content: &[u8]) -> Self {
        if content.starts_with(b"\xff\xfe") || content.starts_with(b"\xfe\xff") {
            return Self::Utf16;
        }
        match std::str::from_utf8(content) {
            Ok(_) => Self::Utf8,
            // A character that the end of what is read cuts in two.
            Err(error) if error.error_len().is_none() => Self::Utf8,
            Err(_) => Self::Unknown,
        }
    }
}

/// The robots.txt of a site, and how it was fetched.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsCurrent)]
pub(super) struct RobotsCurrentPublic {
    /// The text; null where there is no file.
    #[schema(required)]
    content: Option<String>,
    /// The header `Content-Type`; null without one.
    #[schema(required)]
    content_type: Option<String>,
    /// How its bytes spell characters.
    encoding: RobotsEncoding,
    /// Whether it begins with a byte order mark.
    has_bom: bool,
    /// How many bytes were read.
    #[schema(minimum = 0)]
    size_bytes: usize,
    /// Whether only the first 500 KiB are read.
    truncated: bool,
    /// SHA-256 of the bytes that were read, hex.
    sha256: String,
    /// When the last good fetch began.
    fetched_at: Timestamp,
    /// The status that the request for the file was answered with.
    #[schema(minimum = 100, maximum = 599)]
    status_code: u16,
    /// The redirects on the way.
    redirects: Vec<RobotsRedirectPublic>,
    /// The URL that answered.
    final_url: String,
    /// The header `ETag`; null without one.
    #[schema(required)]
    etag: Option<String>,
    /// The header `Last-Modified`; null without one.
    #[schema(required)]
    last_modified: Option<String>,
    /// The header `Cache-Control`; null without one.
    #[schema(required)]
    cache_control: Option<String>,
    /// How long the fetch took in milliseconds, redirects included; null where it was not measured.
    #[schema(required)]
    response_ms: Option<f64>,
}

/// A redirect on the way to the file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsRedirect)]
struct RobotsRedirectPublic {
    /// The URL that redirects.
    url: String,
    /// The status by which it does.
    #[schema(minimum = 300, maximum = 399)]
    status_code: u16,
}

impl From<RedirectStep> for RobotsRedirectPublic {
    fn from(step: RedirectStep) -> Self {
        let RedirectStep { url, status_code } = step;
        Self { url, status_code }
    }
}

impl RobotsCurrentPublic {
    fn new(version: &CurrentVersion) -> Self {
        let fetch = version.fetch.clone();
        let content = version.content.as_deref();
        let bytes = content.unwrap_or_default();
        Self {
            content: content.map(|content| String::from_utf8_lossy(content).into_owned()),
            content_type: fetch.headers.content_type,
            encoding: RobotsEncoding::of(bytes),
            has_bom: RobotsFile::parse(bytes).has_bom,
            size_bytes: bytes.len(),
            truncated: fetch.state == RobotsState::TooLarge,
            sha256: version.sha256.clone(),
            fetched_at: fetch.fetched_at.into(),
            status_code: fetch.status_code,
            redirects: fetch
                .redirects
                .into_iter()
                .map(RobotsRedirectPublic::from)
                .collect(),
            final_url: fetch.final_url,
            etag: fetch.headers.etag,
            last_modified: fetch.headers.last_modified,
            cache_control: fetch.headers.cache_control,
            response_ms: fetch.response_ms,
        }
    }
}

impl Example for RobotsCurrentPublic {
    fn example() -> Self {
        Self {
            content: Some("User-agent: *\nDisallow: /cart\n".to_owned()),
            content_type: Some("text/plain; charset=utf-8".to_owned()),
            encoding: RobotsEncoding::Utf8,
            has_bom: false,
            size_bytes: 29,
            truncated: false,
            sha256: "1f2e".repeat(16),
            fetched_at: datetime!(2026-03-31 09:14:30 UTC).into(),
            status_code: 200,
            redirects: vec![RobotsRedirectPublic {
                url: "http://shop.example/robots.txt".to_owned(),
                status_code: 301,
            }],
            final_url: "https://shop.example/robots.txt".to_owned(),
            etag: Some("\"5f2-61\"".to_owned()),
            last_modified: None,
            cache_control: Some("max-age=3600".to_owned()),
            response_ms: Some(84.2),
        }
    }
}
