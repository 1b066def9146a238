//! Runs, done: a page is loaded as often as it wants, and the load in the middle is kept.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use pharos_artefacts::store::Artefacts;
use pharos_domain::{
    clock::Clock,
    ids::{DomainId, RunId},
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind},
    module::Module,
    problem::Suffix,
    sealing::SealingKey,
};

use super::{LoadOrder, engine::Engine};
use crate::{
    conditions::Conditions,
    figure::Figures,
    images::{Image, Images},
    kept::{REPORT, key},
    lhr::Load,
    median::{Moments, middle, variability},
    metrics,
    profile::Profile,
    result::{Filmstrip, Frame, Lists, Picture, RuntimeError, Summary},
    run::{KIND, Order},
    secrets::{PageSecrets, UNOPENED},
    store::{Assignment, Ended, LabSchedule, Measured},
};

/// Does runs.
#[derive(Clone)]
pub struct LabRuns {
    /// Where orders come from, and results go.
    pub store: Arc<dyn LabSchedule>,
    /// Measures.
    pub engine: Engine,
    /// Opens secrets.
    pub sealing: Arc<SealingKey>,
    /// Where pictures and reports go.
    pub artefacts: Arc<Artefacts>,
    /// Stamps results.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for LabRuns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LabRuns")
            .field("engine", &self.engine)
            .finish_non_exhaustive()
    }
}

/// A run that ends without a result: what its caller reads.
struct Fault {
    code: Suffix,
    detail: String,
}

impl Fault {
    fn new(code: Suffix, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
        }
    }
}

/// A fault of this run, or one after which another attempt may help.
enum Undone {
    Fault(Fault),
    Again(JobFailure),
}

#[async_trait]
impl JobHandler for LabRuns {
    fn kind(&self) -> JobKind {
        KIND
    }

    fn most_at_once(&self, places: usize) -> usize {
        self.engine.most_at_once().clamp(1, places.max(1))
    }

    fn touched(&self, job: &ClaimedJob) -> Changed {
        job.of_domain(Module::Synthetic)
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order { run_id, domain_id } = job.read()?;
        let now = self.clock.now();
        let Some(assignment) = self.store.begin(run_id, now).await? else {
            tracing::info!(%run_id, "a lab test is over, or its page is gone");
            return Ok(vec![(domain_id, Module::Synthetic)]);
        };
        if job.attempt == 1 {
            // The clock that it was requested by may be ahead of this one.
            metrics::waited((now - assignment.requested_at).try_into().unwrap_or_default());
        }
        let (ended, public) = match self.loads(&assignment).await {
            Ok(loads) => {
                self.result(run_id, domain_id, loads, assignment.before.as_ref())
                    .await
            }
            Err(Undone::Again(failure)) => return Err(failure),
            Err(Undone::Fault(Fault { code, detail })) => {
                metrics::ended("failed");
                let ended = Ended::Failed {
                    code: code.as_str().to_owned(),
                    detail: detail.clone(),
                };
                (ended, Some((code, detail)))
            }
        };
        self.store.end(run_id, &ended, self.clock.now()).await?;
        match public {
            None => Ok(vec![(domain_id, Module::Synthetic)]),
            // A page that can't be measured is its owner's matter.
            Some((code @ Suffix::UpstreamError, detail)) => Err(JobFailure::expected(code, detail)),
            Some((code, detail)) => {
                Err(JobFailure::permanent(detail.clone()).with_public_error(code, detail))
            }
        }
    }
}

impl LabRuns {
    /// The loads of a run. One that has no result is left out, as long as another has one; after one that took all the time that it
    /// may take there is no other.
    async fn loads(&self, assignment: &Assignment) -> Result<Vec<Load>, Undone> {
        let Assignment {
            requested_at: _,
            page_id,
            settings,
            sealed,
            profile_id,
            before: _,
        } = assignment;
        let profile = Profile::named(profile_id).ok_or_else(|| {
            Undone::Fault(Fault::new(
                Suffix::InternalError,
                format!("The profile {profile_id} is no longer there."),
            ))
        })?;
        let secrets = match sealed {
            None => PageSecrets::default(),
            Some(sealed) => self
                .sealing
                .open(page_id.0, sealed)
                .map_err(|_| Undone::Fault(Fault::new(Suffix::InternalError, UNOPENED)))?,
        };
        let order = LoadOrder {
            page: settings,
            secrets: &secrets,
            profile,
        };
        let (mut loads, mut last) = (Vec::new(), None);
        for _ in 0..settings.runs_per_test {
            let error = match self.engine.load(order, self.clock.now()).await {
                Ok(load) => {
                    loads.push(load);
                    continue;
                }
                Err(error) => error,
            };
            match error.again() {
                // The loads before it are enough for a result.
                Some(_) if !loads.is_empty() => break,
                Some(failure) => return Err(Undone::Again(failure)),
                None => {
                    tracing::warn!(page = %page_id, %error, "a load has no result");
                    let took_all_its_time = error.took_all_its_time();
                    last = Some(error);
                    if took_all_its_time {
                        break;
                    }
                }
            }
        }
        match last {
            Some(error) if loads.is_empty() => Err(Undone::Fault(Fault::new(
                Suffix::UpstreamError,
                error.to_string(),
            ))),
            _ => Ok(loads),
        }
    }

    /// The end of a run that has loads, and the error that its caller reads where none of them could be measured.
    async fn result(
        &self,
        run: RunId,
        domain: DomainId,
        loads: Vec<Load>,
        before: Option<&Conditions>,
    ) -> (Ended, Option<(Suffix, String)>) {
        let Some(Load {
            mut summary,
            lists,
            images,
            report,
        }) = kept(loads)
        else {
            let detail = "there was no load".to_owned();
            let ended = Ended::Failed {
                code: Suffix::InternalError.as_str().to_owned(),
                detail: detail.clone(),
            };
            return (ended, Some((Suffix::InternalError, detail)));
        };
        let error = summary.runtime_error.clone();
        let nothing = Conditions::default();
        let warnings = before.unwrap_or(&nothing).warnings(&summary);
        summary.run_warnings.extend(warnings);
        metrics::ended(if error.is_some() {
            "unmeasurable"
        } else {
            "measured"
        });
        let files = Files {
            artefacts: &self.artefacts,
            run,
            domain,
            has_failed: false,
        };
        let filmstrip = files.keep(images, report).await;
        let measured = Measured::new(summary, Lists { filmstrip, ..lists }, self.clock.now());
        let public =
            error.map(|RuntimeError { code, message }| (Suffix::UpstreamError, format!("{code}: {message}")));
        (Ended::Measured(Box::new(measured)), public)
    }
}

/// The files of a run, on their way to where artefacts lie.
struct Files<'a> {
    artefacts: &'a Artefacts,
    run: RunId,
    domain: DomainId,
    /// Whether one could not be kept. A store that says nothing is waited for, and the others would be waited for as long.
    has_failed: bool,
}

impl Files<'_> {
    /// Keeps pictures, and all that Lighthouse wrote. Without a place for them a result is still a result.
    async fn keep(mut self, images: Images, report: Option<Bytes>) -> Filmstrip {
        let Images { frames, last, full } = images;
        let mut filmstrip = Filmstrip::default();
        for (at, (timing_ms, image)) in frames.into_iter().enumerate() {
            if let Some(picture) = self.picture(&format!("frame-{at}"), image).await {
                filmstrip.frames.push(Frame { timing_ms, picture });
            }
        }
        if let Some(image) = last {
            filmstrip.final_screenshot = self.picture("final", image).await;
        }
        if let Some(image) = full {
            filmstrip.full_page_screenshot = self.picture("full-page", image).await;
        }
        if let Some(report) = report {
            filmstrip.report = self.put(REPORT, report).await;
        }
        filmstrip
    }

    async fn picture(&mut self, name: &str, image: Image) -> Option<Picture> {
        let Image {
            content,
            extension,
            width,
            height,
        } = image;
        let key = self.put(&format!("{name}.{extension}"), content).await?;
        Some(Picture { key, width, height })
    }

    /// Keeps an artefact, and says its key.
    async fn put(&mut self, name: &str, content: Bytes) -> Option<String> {
        if self.has_failed {
            return None;
        }
        let key = key(self.domain, self.run, name)?;
        match self.artefacts.put(&key, content).await {
            Ok(()) => Some(key.as_str().to_owned()),
            Err(error) => {
                tracing::warn!(run = %self.run, name, %error, "the files of a lab test can't be kept");
                self.has_failed = true;
                None
            }
        }
    }
}

/// The load in the middle of those that could be measured, with how far they lie apart; where none could, the last, which says
/// why.
#[must_use]
pub fn kept(mut loads: Vec<Load>) -> Option<Load> {
    let measured = |load: &Load| load.summary.runtime_error.is_none();
    if !loads.iter().any(measured) {
        return loads.pop();
    }
    loads.retain(measured);
    let figures: Vec<&Figures> = loads.iter().map(|load| &load.summary.figures).collect();
    let spread = variability(&figures);
    // As at Lighthouse a load without both moments is not placed.
    let (places, moments): (Vec<usize>, Vec<Moments>) = figures
        .iter()
        .enumerate()
        .filter_map(|(place, figures)| Some((place, Moments::of(figures)?)))
        .unzip();
    // Without a category of performance there are no moments to place loads by.
    let at = middle(&moments)
        .and_then(|nth| places.get(nth).copied())
        .unwrap_or(0);
    let count = u8::try_from(loads.len()).unwrap_or(u8::MAX);
    let chosen = loads.swap_remove(at);
    Some(Load {
        summary: Summary {
            runs_aggregated: count,
            variability: spread,
            ..chosen.summary
        },
        ..chosen
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lhr;

    /// By hand: of the three that have both moments, the medians are 1,100 and 3,000. The first load has no TTI.
    #[test]
    fn a_load_without_a_moment_is_not_kept_while_others_have_both() {
        let load = |moments: &[(&str, f64)]| {
            let mut load = lhr::read(br#"{"lighthouseVersion":"13.5.0"}"#).unwrap();
            let moments = moments.iter().map(|&(name, value)| (name.to_owned(), value));
            load.summary.figures = moments.collect();
            load
        };
        let whole = |fcp, tti| load(&[("fcp_ms", fcp), ("tti_ms", tti)]);
        let without = load(&[("fcp_ms", 1_000.0)]);
        let loads = vec![
            without.clone(),
            whole(1_000.0, 9_000.0),
            whole(1_100.0, 3_000.0),
            whole(1_200.0, 2_000.0),
        ];
        let kept_load = kept(loads).unwrap().summary;
        assert_eq!(kept_load.figures.get("tti_ms"), Some(&3_000.0));
        assert_eq!(kept_load.runs_aggregated, 4);
        let none = kept(vec![without.clone(), without]).unwrap();
        assert_eq!(none.summary.figures.get("tti_ms"), None);
    }

    #[tokio::test]
    async fn a_store_that_fails_is_waited_for_once_a_run() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("artefacts");
        let artefacts = Artefacts::in_folder(&place).unwrap();
        let mut files = Files {
            artefacts: &artefacts,
            run: RunId::generate(),
            domain: DomainId::generate(),
            has_failed: false,
        };
        let content = Bytes::from_static(b"picture");
        assert!(files.put("frame-0.jpg", content.clone()).await.is_some());
        std::fs::remove_dir_all(&place).unwrap();
        std::fs::write(&place, "no folder").unwrap();
        assert_eq!(files.put("frame-1.jpg", content.clone()).await, None);
        std::fs::remove_file(&place).unwrap();
        std::fs::create_dir(&place).unwrap();
        assert_eq!(files.put("frame-2.jpg", content).await, None);
        assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0, "it is not tried");
    }
}
