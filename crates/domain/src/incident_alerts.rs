//! The port that knows which alerts fired about which incidents.

use std::collections::HashMap;

use async_trait::async_trait;

use crate::{
    identity::DomainAccess,
    ids::{AlertId, IncidentId},
    store::StoreError,
};

/// Finds the alerts that fired about incidents.
#[async_trait]
pub trait IncidentAlerts: Send + Sync {
    /// The alerts about each of these incidents of the domain, in the order that they fired. Incidents without one are left
    /// out.
    async fn about(
        &self,
        domain: &DomainAccess,
        incidents: &[IncidentId],
    ) -> Result<HashMap<IncidentId, Vec<AlertId>>, StoreError>;
}
