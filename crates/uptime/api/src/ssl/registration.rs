//! GET /domains/{domain_id}/ssl/domain

use pharos_domain::{
    clock::Clock, identity::DomainAccess, module::Module, problem::Suffix, scope::Scope, timestamp::Timestamp,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    problem::Problem,
    spec::{Credits, OperationSpec},
};
use pharos_uptime::registration::{
    Registrar, Registration, RegistrationSource, RegistrationState,
    change::{RegistrationChange, RegistrationField},
    store::{KnownRegistration, MonitoredRegistration, RegistrationStore},
};
use serde::Serialize;
use time::{OffsetDateTime, macros::datetime};
use utoipa::ToSchema;

use crate::missing;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getDomainRegistration",
    path: "/domains/{domain_id}/ssl/domain",
    module: Module::Uptime,
    summary: "The registration of the domain's name",
    description: "From the registry, over RDAP: asked once a day, and every hour in the last week. Members that the \
                  registry does not publish are null. While it can't be asked, the last answer stays. Nothing is kept \
                  of the registrant.",
    scope: Some(Scope::ReadUptime),
    credits: Credits::Cheap,
    problems: &[Suffix::UptimeNotFound, Suffix::CheckDataNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    store: Port<dyn RegistrationStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<DomainRegistrationPublic> {
    let monitored = store.view(&access).await?;
    let MonitoredRegistration { warn_days, known } = monitored.ok_or_else(missing)?;
    let known = known.ok_or_else(|| {
        Problem::new(
            Suffix::CheckDataNotFound,
            "The registry was not asked yet. An enabled monitor has it asked within a minute.",
        )
    })?;
    Ok(DomainRegistrationPublic::new(known, &warn_days, clock.now()))
}

/// The registration of a domain's name. A member is null where the registry does not publish it, or has not answered.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DomainRegistration)]
pub(crate) struct DomainRegistrationPublic {
    /// The registered name that the domain lies below, by the public suffix list; in ASCII.
    registrable_domain: String,
    /// The same in Unicode; null where that is how it is spelled anyway.
    #[schema(required)]
    unicode_name: Option<String>,
    /// The registry's id of the name.
    #[schema(required)]
    handle: Option<String>,
    /// The state. `expiring_soon` begins with the largest of the monitor's `domain_warn_days`; `redemption` is deleted,
    /// but can be restored; `unknown` where the registry publishes no end.
    state: RegistrationState,
    /// When it was first registered.
    #[schema(required)]
    registered_at: Option<Timestamp>,
    /// When it ends; null where the registry does not publish it. With a renewal that is automatic it moves on before
    /// the money has.
    #[schema(required)]
    expires_at: Option<Timestamp>,
    /// When it last changed.
    #[schema(required)]
    last_changed_at: Option<Timestamp>,
    /// When it last went from one registrar to another.
    #[schema(required)]
    transferred_at: Option<Timestamp>,
    /// When the RDAP server's own data was last brought up to date.
    #[schema(required)]
    rdap_updated_at: Option<Timestamp>,
    /// Whole days until the end, rounded down: 0 is within 24 hours, negative is over.
    #[schema(required)]
    days_remaining: Option<i64>,
    /// The statuses of RFC 8056 in snake_case, such as `client_transfer_prohibited`. More may come.
    statuses: Vec<String>,
    /// Whether a transfer to another registrar is prohibited; null where the registry shows no statuses.
    #[schema(required)]
    transfer_locked: Option<bool>,
    /// The registrar.
    #[schema(required)]
    registrar_name: Option<String>,
    /// Its number in IANA's list of registrars.
    #[schema(required)]
    registrar_iana_id: Option<String>,
    /// Its website.
    #[schema(required)]
    registrar_url: Option<String>,
    /// Its address for abuse.
    #[schema(required)]
    abuse_email: Option<String>,
    /// The name servers, sorted.
    nameservers: Vec<String>,
    /// Whether the parent zone vouches for the domain's DNSSEC keys.
    #[schema(required)]
    dnssec_signed: Option<bool>,
    /// With how many DS records; null where that can't be told.
    #[schema(required, minimum = 0)]
    ds_records_count: Option<u32>,
    /// `none` where the top-level domain has no RDAP service, or it has not answered yet: then nothing is known.
    source: RegistrationSource,
    /// The URL that answered; null where none has.
    #[schema(required)]
    source_url: Option<String>,
    /// When it did; null where none has.
    #[schema(required)]
    checked_at: Option<Timestamp>,
    /// The last 20 changes that were seen, the newest first.
    changes: Vec<RegistrationChangePublic>,
}

/// A change of a registration.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RegistrationChange)]
pub(crate) struct RegistrationChangePublic {
    /// When it was seen.
    detected_at: Timestamp,
    /// The part that changed.
    field: RegistrationField,
    /// The value until then: members of lists with `, ` between them; null where there was nothing.
    #[schema(required)]
    before: Option<String>,
    /// The value since, in the same form; null where there is nothing any more.
    #[schema(required)]
    after: Option<String>,
}

impl DomainRegistrationPublic {
    fn new(known: KnownRegistration, warn_days: &[u32], now: OffsetDateTime) -> Self {
        let unicode_name = known.unicode_name();
        let KnownRegistration {
            name,
            answer,
            changes,
        } = known;
        let (registration, checked_at) = answer.unzip();
        let source = if registration.is_some() {
            RegistrationSource::Rdap
        } else {
            RegistrationSource::None
        };
        let registration = registration.unwrap_or_default();
        let (state, days_remaining, transfer_locked) = (
            registration.state(warn_days, now),
            registration.days_remaining(now),
            registration.is_transfer_locked(),
        );
        let Registration {
            unicode_name: _,
            handle,
            registered_at,
            expires_at,
            last_changed_at,
            transferred_at,
            rdap_updated_at,
            statuses,
            registrar:
                Registrar {
                    name: registrar_name,
                    iana_id,
                    url,
                    abuse_email,
                },
            nameservers,
            dnssec_signed,
            ds_records_count,
            source_url,
        } = registration;
        Self {
            unicode_name,
            registrable_domain: name.to_string(),
            handle,
            state,
            registered_at: registered_at.map(Timestamp::from),
            expires_at: expires_at.map(Timestamp::from),
            last_changed_at: last_changed_at.map(Timestamp::from),
            transferred_at: transferred_at.map(Timestamp::from),
            rdap_updated_at: rdap_updated_at.map(Timestamp::from),
            days_remaining,
            statuses: statuses.unwrap_or_default(),
            transfer_locked,
            registrar_name,
            registrar_iana_id: iana_id,
            registrar_url: url,
            abuse_email,
            nameservers,
            dnssec_signed,
            ds_records_count,
            source,
            source_url: checked_at.map(|_| source_url),
            checked_at: checked_at.map(Timestamp::from),
            changes: changes.into_iter().map(RegistrationChangePublic::from).collect(),
        }
    }
}

impl From<RegistrationChange> for RegistrationChangePublic {
    fn from(change: RegistrationChange) -> Self {
        let RegistrationChange {
            detected_at,
            field,
            before,
            after,
        } = change;
        Self {
            detected_at: detected_at.into(),
            field,
            before,
            after,
        }
    }
}

impl Example for DomainRegistrationPublic {
    fn example() -> Self {
        Self {
            registrable_domain: "shop.example".to_owned(),
            unicode_name: None,
            handle: Some("2138514_DOMAIN-EX".to_owned()),
            state: RegistrationState::Active,
            registered_at: Some(datetime!(2014-06-02 08:00:00 UTC).into()),
            expires_at: Some(datetime!(2027-06-02 08:00:00 UTC).into()),
            last_changed_at: Some(datetime!(2026-03-01 10:12:44 UTC).into()),
            transferred_at: None,
            rdap_updated_at: Some(datetime!(2026-03-31 09:00:00 UTC).into()),
            days_remaining: Some(427),
            statuses: vec!["client_transfer_prohibited".to_owned()],
            transfer_locked: Some(true),
            registrar_name: Some("Example Registrar".to_owned()),
            registrar_iana_id: Some("9999".to_owned()),
            registrar_url: Some("https://registrar.example/".to_owned()),
            abuse_email: Some("abuse@registrar.example".to_owned()),
            nameservers: vec!["ns1.shop.example".to_owned(), "ns2.shop.example".to_owned()],
            dnssec_signed: Some(true),
            ds_records_count: Some(1),
            source: RegistrationSource::Rdap,
            source_url: Some("https://rdap.registry.example/domain/shop.example".to_owned()),
            checked_at: Some(datetime!(2026-03-31 04:10:02 UTC).into()),
            changes: vec![RegistrationChangePublic {
                detected_at: datetime!(2026-03-01 04:10:05 UTC).into(),
                field: RegistrationField::Nameservers,
                before: Some("ns1.old.example".to_owned()),
                after: Some("ns1.shop.example, ns2.shop.example".to_owned()),
            }],
        }
    }
}
