//! GET /domains/{domain_id}/gsc/property

use pharos_domain::{
    clock::Clock,
    day::Day,
    identity::DomainAccess,
    ids::UserId,
    module::Module,
    problem::Suffix,
    runs::{Run, RunKind, RunStore},
    scope::Scope,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    run::RunPublic,
    spec::{Credits, OperationSpec},
};
use pharos_search::gsc::{
    figures::SearchType,
    pacific::SOURCE_TIMEZONE,
    property::{Permission, Property, PropertyStatus, PropertyStore, PropertyType, SyncStatus},
    reach::Reach,
};
use serde::Serialize;
use time::macros::{date, datetime};
use utoipa::ToSchema;
use uuid::uuid;

use super::{parts::linked, sync};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getGscProperty",
    path: "/domains/{domain_id}/gsc/property",
    module: Module::Gsc,
    summary: "The property of Search Console that the domain is linked to, and how far it is imported",
    description: "Days are those of Search Console, in Pacific time. Final figures come two to three days late: they reach to \
                  `data_through`, and figures of the days after it may still change. The 16 months before the link are imported \
                  in the background, newest first: `backfill_from` is how far that is. `last_run` is the newest \
                  `POST /domains/{domain_id}/gsc/sync`.",
    scope: Some(Scope::ReadGsc),
    credits: Credits::Cheap,
    problems: &[Suffix::GscPropertyNotLinked],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    properties: Port<dyn PropertyStore>,
    runs: Port<dyn RunStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<GscPropertyPublic> {
    let property = linked(&access, &properties).await?;
    let last = runs.last(&access, RunKind::GscSync, clock.now()).await?;
    Ok(GscPropertyPublic::new(property, last))
}

/// The property of Search Console that a domain is linked to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GscProperty)]
pub(crate) struct GscPropertyPublic {
    /// Whether it covers a domain or a prefix of URLs.
    property_type: PropertyType,
    /// Its name: `shop.example` where it covers the domain, `https://shop.example/` where it covers a prefix.
    site_label: String,
    /// The permission that the linked account has for it.
    permission: Permission,
    /// When it was linked.
    linked_at: Timestamp,
    /// Who linked it; null: the operator, by the command line.
    #[schema(required)]
    linked_by: Option<UserId>,
    /// Whether data come in.
    status: PropertyStatus,
    /// When the last import ended; null before the first.
    #[schema(required)]
    last_sync_at: Option<Timestamp>,
    /// How it ended; null before the first.
    #[schema(required)]
    last_sync_status: Option<SyncStatus>,
    /// The newest day whose figures are final; null before the first import.
    #[schema(required)]
    data_through: Option<Day>,
    /// The newest day that has figures which may still change; null where there is none.
    #[schema(required)]
    provisional_through: Option<Day>,
    /// The first day that Search Console calls incomplete; null where it says of none.
    #[schema(required)]
    first_incomplete_date: Option<Day>,
    /// The first hour that Search Console calls incomplete; null where it says of none.
    #[schema(required)]
    first_incomplete_hour: Option<Timestamp>,
    /// The day from which on every search type is imported; null before the first import.
    #[schema(required)]
    backfill_from: Option<Day>,
    /// Whose days they are.
    #[schema(example = "America/Los_Angeles")]
    source_timezone: &'static str,
    /// The search types that are imported.
    search_types: Vec<SearchType>,
    /// The newest import that somebody asked for; null where nobody did.
    #[schema(required)]
    last_run: Option<RunPublic>,
}

impl GscPropertyPublic {
    fn new(property: Property, last_run: Option<Run>) -> Self {
        let property_type = property.property_type();
        let site_label = property.site_label().to_owned();
        let imported_from = property.imported_from();
        let Property {
            site_url: _,
            permission,
            status,
            linked_at,
            linked_by,
            last_sync_at,
            last_sync_status,
            // That of an import that somebody asked for is told in its run.
            last_failure: _,
            data_through,
            provisional_through,
            first_incomplete_date,
            first_incomplete_hour,
            search_types,
            reach: _,
        } = property;
        Self {
            property_type,
            site_label,
            permission,
            linked_at: linked_at.into(),
            linked_by,
            status,
            last_sync_at: last_sync_at.map(Timestamp::from),
            last_sync_status,
            data_through: data_through.map(Day),
            provisional_through: provisional_through.map(Day),
            first_incomplete_date: first_incomplete_date.map(Day),
            first_incomplete_hour: first_incomplete_hour.map(Timestamp::from),
            backfill_from: imported_from.map(Day),
            source_timezone: SOURCE_TIMEZONE,
            search_types,
            last_run: last_run.map(sync::public),
        }
    }
}

impl Example for GscPropertyPublic {
    fn example() -> Self {
        let search_types = [SearchType::Web, SearchType::Discover, SearchType::News];
        let property = Property {
            site_url: "sc-domain:shop.example".to_owned(),
            permission: Permission::Owner,
            status: PropertyStatus::Connected,
            linked_at: datetime!(2026-01-12 10:00:00 UTC),
            linked_by: Some(UserId(uuid!("019aa5c0-7d1e-7000-8000-000000000001"))),
            last_sync_at: Some(datetime!(2026-03-31 08:12:00 UTC)),
            last_sync_status: Some(SyncStatus::Succeeded),
            last_failure: None,
            data_through: Some(date!(2026 - 03 - 28)),
            provisional_through: Some(date!(2026 - 03 - 30)),
            first_incomplete_date: Some(date!(2026 - 03 - 29)),
            first_incomplete_hour: Some(datetime!(2026-03-31 05:00:00 UTC)),
            reach: Reach {
                reached: search_types
                    .map(|search_type| (search_type, date!(2024 - 11 - 12)))
                    .into(),
                ..Reach::default()
            },
            search_types: search_types.to_vec(),
        };
        Self {
            last_run: Some(RunPublic::example()),
            ..Self::new(property, None)
        }
    }
}
