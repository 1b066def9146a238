//! /domains

pub(super) mod health;
pub(super) mod list;
pub(super) mod overview;
pub(super) mod view;
pub(super) mod widgets;
mod window;

use pharos_account::domains::Domain;
use pharos_domain::{
    ids::{DomainId, WorkspaceId},
    module::Module,
    timestamp::Timestamp,
};
use pharos_http::operation::Example;
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

/// A monitored domain.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DomainSummary)]
pub(super) struct DomainSummary {
    /// The id of the domain, for paths of the API.
    id: DomainId,
    /// The workspace that it belongs to.
    workspace_id: WorkspaceId,
    /// Its name: ASCII, lower case.
    domain: String,
    /// The name that people gave it; null where nobody did.
    #[schema(required)]
    display_name: Option<String>,
    /// Whether its owner has shown that it is theirs.
    verified: bool,
    /// The IANA time zone in which its figures are best shown; null where none was set.
    #[schema(required)]
    timezone_hint: Option<String>,
    /// The modules that are configured and enabled. Absent with `include_modules=false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    active_modules: Option<Vec<Module>>,
    /// When it was added.
    created_at: Timestamp,
}

impl From<Domain> for DomainSummary {
    fn from(domain: Domain) -> Self {
        let Domain {
            id,
            workspace_id,
            hostname,
            display_name,
            verified,
            timezone_hint,
            active_modules,
            created_at,
        } = domain;
        Self {
            id,
            workspace_id,
            domain: hostname.to_string(),
            display_name,
            verified,
            timezone_hint,
            active_modules,
            created_at: created_at.into(),
        }
    }
}

impl Example for DomainSummary {
    fn example() -> Self {
        Self {
            id: DomainId(uuid!("0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33")),
            workspace_id: WorkspaceId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11")),
            domain: "shop.example".to_owned(),
            display_name: Some("The shop".to_owned()),
            verified: true,
            timezone_hint: Some("Europe/Berlin".to_owned()),
            active_modules: Some(vec![Module::Uptime]),
            created_at: datetime!(2026-02-01 10:30:00 UTC).into(),
        }
    }
}
