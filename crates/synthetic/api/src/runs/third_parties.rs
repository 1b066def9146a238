//! GET /domains/{domain_id}/synthetic/runs/{run_id}/third-parties

use pharos_domain::{
    identity::DomainAccess, ids::RunId, module::Module, page::Page, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
};
use pharos_synthetic::{result::ThirdParty, store::LabStore};
use serde::Serialize;
use utoipa::ToSchema;

use super::found;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listSyntheticThirdParties",
    path: "/domains/{domain_id}/synthetic/runs/{run_id}/third-parties",
    module: Module::Synthetic,
    summary: "Who serves the page of a lab test, the largest first",
    description: "The page's own site is among them (`is_first_party`); the sums are those of the others.",
    scope: Some(Scope::ReadSynthetic),
    credits: Credits::Cheap,
    paging: Paging::Single,
    problems: &[Suffix::SyntheticRunNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    PathId(id): PathId<RunId>,
    store: Port<dyn LabStore>,
) -> ApiResult<Page<ThirdPartyPublic, ThirdPartiesRoot>> {
    let run = found(&*store, &access, id).await?;
    let parties = store.third_parties(&run).await?;
    let root = ThirdPartiesRoot::of(&parties);
    Ok(Page::single(parties.into_iter().map(ThirdPartyPublic::from).collect()).with(root))
}

/// The further fields of the list's envelope: the sums of all third parties.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabThirdPartiesRoot)]
pub(crate) struct ThirdPartiesRoot {
    /// Their bytes over the network.
    #[schema(minimum = 0)]
    third_party_bytes: u64,
    /// The time that their scripts took of the main thread, in milliseconds; null where it is told of none.
    #[schema(required)]
    third_party_main_thread_ms: Option<f64>,
    /// Their share of the page's bytes, in percent with two decimals; null of a page without bytes.
    #[schema(required, minimum = 0, maximum = 100)]
    third_party_share_pct: Option<f64>,
}

impl ThirdPartiesRoot {
    fn of(parties: &[ThirdParty]) -> Self {
        let others = || parties.iter().filter(|party| !party.is_first_party);
        let bytes: u64 = others().map(|party| party.transfer_bytes).sum();
        let all: u64 = parties.iter().map(|party| party.transfer_bytes).sum();
        let times: Vec<f64> = others().filter_map(|party| party.main_thread_ms).collect();
        Self {
            third_party_bytes: bytes,
            third_party_main_thread_ms: (!times.is_empty()).then(|| times.iter().sum()),
            third_party_share_pct: share(bytes, all),
        }
    }
}

fn share(part: u64, all: u64) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "so many bytes nobody sends")]
    (all > 0).then(|| (part as f64 / all as f64 * 10_000.0).round() / 100.0)
}

/// Somebody who serves something of a page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabThirdParty)]
pub(crate) struct ThirdPartyPublic {
    /// The name of the third party, as Lighthouse knows it.
    entity: String,
    /// Their category, such as `analytics`; null where nobody knows.
    #[schema(required)]
    category: Option<String>,
    /// Their site; null where nobody knows.
    #[schema(required)]
    homepage: Option<String>,
    /// Whether it is the page's own site.
    is_first_party: bool,
    /// Whether nobody knows who they are: the name is that of a host.
    is_unrecognized: bool,
    /// Bytes over the network.
    #[schema(minimum = 0)]
    transfer_bytes: u64,
    /// The time that their scripts took of the main thread, in milliseconds; null where it is not told, as of the page's own site.
    #[schema(required)]
    main_thread_ms: Option<f64>,
    /// The part of it that kept the page from answering; null, since Lighthouse tells it no more.
    #[schema(required)]
    blocking_ms: Option<f64>,
    /// Requests.
    #[schema(minimum = 0)]
    request_count: u64,
    /// The largest resources, 5 at most, without their queries.
    urls: Vec<String>,
}

impl From<ThirdParty> for ThirdPartyPublic {
    fn from(party: ThirdParty) -> Self {
        let ThirdParty {
            entity,
            category,
            homepage,
            is_first_party,
            is_unrecognized,
            transfer_bytes,
            main_thread_ms,
            blocking_ms,
            request_count,
            urls,
        } = party;
        Self {
            entity,
            category,
            homepage,
            is_first_party,
            is_unrecognized,
            transfer_bytes,
            main_thread_ms,
            blocking_ms,
            request_count,
            urls,
        }
    }
}

fn example() -> ThirdParty {
    ThirdParty {
        entity: "Google Fonts".to_owned(),
        category: Some("cdn".to_owned()),
        homepage: Some("https://fonts.google.com/".to_owned()),
        is_first_party: false,
        is_unrecognized: false,
        transfer_bytes: 41_210,
        main_thread_ms: Some(1.2),
        blocking_ms: None,
        request_count: 3,
        urls: vec!["https://fonts.gstatic.com/s/inter/v13/inter.woff2".to_owned()],
    }
}

impl Example for ThirdPartyPublic {
    fn example() -> Self {
        example().into()
    }
}

impl Example for ThirdPartiesRoot {
    fn example() -> Self {
        let own = ThirdParty {
            is_first_party: true,
            transfer_bytes: 361_101,
            ..example()
        };
        Self::of(&[own, example()])
    }
}
