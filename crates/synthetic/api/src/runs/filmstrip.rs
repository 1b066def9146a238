//! GET /domains/{domain_id}/synthetic/runs/{run_id}/filmstrip

use pharos_artefacts::links::Links;
use pharos_domain::{
    clock::Clock, identity::DomainAccess, ids::RunId, module::Module, page::Page, problem::Suffix,
    scope::Scope, timestamp::Timestamp,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::{ApiResult, Example},
    problem::Problem,
    spec::{Credits, OperationSpec, Paging},
};
use pharos_synthetic::{
    kept,
    result::{Filmstrip, Frame, Picture},
    store::LabStore,
};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::{
    examples::{EXAMPLE_NOW, example_domain, example_links, example_run},
    found,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getSyntheticFilmstrip",
    path: "/domains/{domain_id}/synthetic/runs/{run_id}/filmstrip",
    module: Module::Synthetic,
    summary: "How a page looked while it loaded",
    description: "`items` are the frames, the first first. Pictures are links that need no credential and are good until \
                  `expires_at`, 15 minutes; ask again for new ones. They are kept for 90 days.",
    scope: Some(Scope::ReadSynthetic),
    credits: Credits::Cheap,
    paging: Paging::Single,
    problems: &[Suffix::SyntheticRunNotFound, Suffix::ReportResultExpired],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<RunId>,
    store: Port<dyn LabStore>,
    links: Port<Links>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<FramePublic, FilmstripRoot>> {
    let run = found(&*store, &access, id).await?;
    let now = clock.now();
    if run.images_until.is_some_and(|until| until <= now) {
        let detail = format!("The pictures of the run {id} are no longer kept.");
        return Err(Problem::new(Suffix::ReportResultExpired, detail));
    }
    let filmstrip = store.filmstrip(&run).await?;
    Ok(told(filmstrip, &links, now))
}

fn told(filmstrip: Filmstrip, links: &Links, now: OffsetDateTime) -> Page<FramePublic, FilmstripRoot> {
    let Filmstrip {
        frames,
        final_screenshot,
        full_page_screenshot,
        // It has whole URLs, whose queries nobody is shown here.
        report: _,
    } = filmstrip;
    let shown = |picture: Picture| PicturePublic::new(picture, links, now);
    let root = FilmstripRoot {
        final_screenshot: final_screenshot.and_then(shown),
        full_page_screenshot: full_page_screenshot.and_then(shown),
        expires_at: (now + pharos_artefacts::links::GOOD_FOR).into(),
    };
    let frames = frames.into_iter().filter_map(|Frame { timing_ms, picture }| {
        let PicturePublic {
            image_url,
            width,
            height,
        } = shown(picture)?;
        Some(FramePublic {
            timing_ms,
            image_url,
            width,
            height,
            visually_complete_pct: None,
        })
    });
    Page::single(frames.collect()).with(root)
}

/// A frame of a filmstrip.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabFrame)]
pub(crate) struct FramePublic {
    /// When it was, in milliseconds from the beginning.
    #[schema(minimum = 0)]
    timing_ms: u64,
    /// The picture: a link that is good until `expires_at`.
    image_url: String,
    /// Its width in pixels.
    #[schema(minimum = 0)]
    width: u32,
    /// The height of the picture in pixels.
    #[schema(minimum = 0)]
    height: u32,
    /// How much of the page was there, in percent; null, since Lighthouse does not tell it.
    #[schema(required)]
    visually_complete_pct: Option<f64>,
}

/// The further fields of the list's envelope.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabFilmstripRoot)]
pub(crate) struct FilmstripRoot {
    /// How the page looked in the end; null where there is no picture.
    #[schema(required)]
    final_screenshot: Option<PicturePublic>,
    /// All of the page, from top to bottom; null where there is no picture.
    #[schema(required)]
    full_page_screenshot: Option<PicturePublic>,
    /// Until when the links are good.
    expires_at: Timestamp,
}

/// A picture.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabPicture)]
pub(crate) struct PicturePublic {
    /// A link that is good until `expires_at`.
    image_url: String,
    /// Its width in pixels.
    #[schema(minimum = 0)]
    width: u32,
    /// The height of the picture in pixels.
    #[schema(minimum = 0)]
    height: u32,
}

impl PicturePublic {
    /// The picture; `None` where its key is none of ours.
    fn new(picture: Picture, links: &Links, now: OffsetDateTime) -> Option<Self> {
        let Picture { key, width, height } = picture;
        let (image_url, _) = links.link(&key.parse().ok()?, now);
        Some(Self {
            image_url,
            width,
            height,
        })
    }
}

fn example() -> Page<FramePublic, FilmstripRoot> {
    let picture = |name: &str| {
        let key = kept::key(example_domain(), example_run().id, name);
        Picture {
            key: key.map(|key| key.to_string()).unwrap_or_default(),
            width: 412,
            height: 823,
        }
    };
    let filmstrip = Filmstrip {
        frames: vec![Frame {
            timing_ms: 375,
            picture: picture("frame-0.jpg"),
        }],
        final_screenshot: Some(picture(kept::LAST)),
        full_page_screenshot: None,
        report: None,
    };
    told(filmstrip, &example_links(), EXAMPLE_NOW)
}

impl Example for FramePublic {
    fn example() -> Self {
        let mut frames = example().items;
        frames.remove(0)
    }
}

impl Example for FilmstripRoot {
    fn example() -> Self {
        example().extra
    }
}
