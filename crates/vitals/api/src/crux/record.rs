//! GET /domains/{domain_id}/crux/record

use pharos_domain::{
    clock::Clock,
    day::Day,
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    runs::{RunKind, RunStore},
    scope::Scope as ApiScope,
    window::DateRange,
};
use pharos_http::{
    extract::{
        port::Port,
        query::{RuledQuery, Rules},
    },
    operation::{ApiResult, Example},
    problem::{Fault, Problem},
    spec::{Bucket, Credits, OperationSpec},
};
use pharos_vitals::crux::{
    FormFactor, Scope,
    figures::{Figures, Period},
    record::{Record, Subject},
    store::{CruxStore, Followed, LookedUp},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    address,
    figures::{
        self, FormFactorsPublic, KeyPublic, LcpImagePublic, LcpResourceTypesPublic, MetricsPublic,
        NavigationTypesPublic,
    },
    lookup::LookupRunPublic,
    not_followed, origin, populations,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getCruxRecord",
    path: "/domains/{domain_id}/crux/record",
    module: Module::Crux,
    summary: "The newest record, with its histograms",
    description: concat!(
        populations!(),
        " A subject that is not in the report is 200 with `eligible` false. `last_run` is the newest lookup of the domain \
         (`POST /domains/{domain_id}/crux/lookup`). A page that is not followed has what the last lookup of it found."
    ),
    scope: Some(ApiScope::ReadCrux),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    problems: &[Suffix::CruxNotFound, Suffix::CruxUrlNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(crate) struct RecordQuery {
    /// The devices; left out: all of them. `all` has tablets, too, so it is not the sum of the others.
    #[param(inline, value_type = Option<FormFactor>)]
    form_factor: FormFactor,
    /// Whether the record is about the origin or about the page of `url`; left out: the origin.
    #[param(inline, value_type = Option<Scope>)]
    scope: Scope,
    /// A page that is followed or was looked up; needed with `scope=url`, and with that alone.
    #[param(max_length = 2_000)]
    url: Option<String>,
}

impl Default for RecordQuery {
    fn default() -> Self {
        Self {
            form_factor: FormFactor::All,
            scope: Scope::Origin,
            url: None,
        }
    }
}

impl Rules for RecordQuery {
    fn faults(&self, _: Option<DateRange>) -> Vec<Fault> {
        let why = match (self.scope, &self.url) {
            (Scope::Url, None) => "needed with scope=url",
            (Scope::Origin, Some(_)) => "only with scope=url: a record of an origin is not one of a page",
            (Scope::Url, Some(_)) | (Scope::Origin, None) => return Vec::new(),
        };
        vec![Fault::parameter("url", why)]
    }
}

pub(crate) async fn view(
    access: DomainAccess,
    RuledQuery(query): RuledQuery<RecordQuery>,
    store: Port<dyn CruxStore>,
    runs: Port<dyn RunStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<CruxRecordAnswer> {
    let record = match query.url.as_deref() {
        None => CruxRecordPublic::newest(&access, &origin(&*store, &access).await?, query.form_factor),
        Some(url) => of_page(&*store, &access, url, query.form_factor).await?,
    };
    let last = runs.last(&access, RunKind::CruxLookup, clock.now()).await?;
    let last_run = match last {
        None => None,
        Some(run) => {
            let result = store.looked_up(&access, run.id).await?;
            Some(LookupRunPublic::new(run, result))
        }
    };
    Ok(CruxRecordAnswer { record, last_run })
}

/// The newest record of a page that is followed, or else what the last lookup of it found.
async fn of_page(
    store: &dyn CruxStore,
    access: &DomainAccess,
    text: &str,
    form_factor: FormFactor,
) -> Result<CruxRecordPublic, Problem> {
    let url = address(access, text).ok_or_else(not_followed)?;
    if let Some(found) = store.page_of(access, &url).await? {
        return Ok(CruxRecordPublic::newest(access, &found, form_factor));
    }
    let subject = Subject::Url(url);
    match store.last_looked_up(access, &subject, form_factor).await? {
        LookedUp::Found(record) => Ok((*record).into()),
        LookedUp::Absent => Ok(CruxRecordPublic::new(
            KeyPublic::new(subject, form_factor),
            None,
            None,
        )),
        LookedUp::Never => Err(not_followed()),
    }
}

/// A record, and the newest lookup.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxRecordResponse)]
pub(crate) struct CruxRecordAnswer {
    #[serde(flatten)]
    record: CruxRecordPublic,
    /// The newest lookup of the domain; null where there was none.
    #[schema(required)]
    last_run: Option<LookupRunPublic>,
}

/// A record of the report.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxRecord)]
pub(crate) struct CruxRecordPublic {
    /// The page or origin that it is about.
    key: KeyPublic,
    /// Whether it is in the report. If not, periods are null, and there is no metric.
    eligible: bool,
    /// The URL that the report made out of the one that was asked for; null where it is the same.
    #[schema(required)]
    url_normalized: Option<String>,
    /// The first of its 28 days; null where it is not in the report.
    #[schema(required)]
    collection_period_start: Option<Day>,
    /// The last; null where it is not in the report.
    #[schema(required)]
    collection_period_end: Option<Day>,
    /// The figures, by metric.
    metrics: MetricsPublic,
    /// The parts of the Largest Contentful Paint of images; null where too few of them are images.
    #[schema(required)]
    lcp_image: Option<LcpImagePublic>,
    /// The kinds of resources that the Largest Contentful Paint is; null where they are not known.
    #[schema(required)]
    lcp_resource_types: Option<LcpResourceTypesPublic>,
    /// How browsers came to the pages; null where it is not known.
    #[schema(required)]
    navigation_types: Option<NavigationTypesPublic>,
    /// The devices that people came with; null but with form_factor=all.
    #[schema(required)]
    form_factors: Option<FormFactorsPublic>,
}

impl CruxRecordPublic {
    /// The newest record of what is followed.
    pub(super) fn newest(access: &DomainAccess, found: &Followed, form_factor: FormFactor) -> Self {
        let subject = match (&found.target.url, &found.target.origin) {
            (Some(url), _) => Subject::Url(url.clone()),
            (None, Some((origin, _))) => Subject::Origin(origin.clone()),
            (None, None) => Subject::Origin(format!("https://{}", access.domain().hostname)),
        };
        let newest = found.newest.get(&form_factor);
        Self::new(
            KeyPublic::new(subject, form_factor),
            found.target.url_normalized.clone(),
            newest.map(|(period, figures)| (*period, figures)),
        )
    }

    fn new(key: KeyPublic, url_normalized: Option<String>, found: Option<(Period, &Figures)>) -> Self {
        let (period, figures) = found.unzip();
        Self {
            key,
            eligible: period.is_some(),
            url_normalized,
            collection_period_start: period.map(|period| Day(period.start)),
            collection_period_end: period.map(|period| Day(period.end)),
            metrics: figures.map(MetricsPublic::from).unwrap_or_default(),
            lcp_image: figures
                .and_then(|found| found.lcp_image)
                .map(LcpImagePublic::from),
            lcp_resource_types: figures
                .and_then(|found| found.lcp_resource_types)
                .map(LcpResourceTypesPublic::from),
            navigation_types: figures
                .and_then(|found| found.navigation_types)
                .map(NavigationTypesPublic::from),
            form_factors: figures
                .and_then(|found| found.form_factors)
                .map(FormFactorsPublic::from),
        }
    }
}

impl From<Record> for CruxRecordPublic {
    fn from(record: Record) -> Self {
        let key = KeyPublic::new(record.subject, record.form_factor);
        Self::new(key, record.url_normalized, Some((record.period, &record.figures)))
    }
}

impl Example for CruxRecordPublic {
    fn example() -> Self {
        let key = KeyPublic::new(
            Subject::Origin("https://shop.example".to_owned()),
            FormFactor::All,
        );
        Self::new(key, None, Some((figures::EXAMPLE_PERIOD, &figures::example())))
    }
}

impl Example for CruxRecordAnswer {
    fn example() -> Self {
        Self {
            record: CruxRecordPublic::example(),
            last_run: None,
        }
    }
}
