//! Where a list reads, as statements take it.

use pharos_alerting::store::Reach;
use uuid::Uuid;

/// A domain, or workspaces: the one that is not asked for is null, or empty.
pub(crate) struct Asked {
    pub(crate) domain: Option<Uuid>,
    pub(crate) workspaces: Vec<Uuid>,
}

impl From<Reach<'_>> for Asked {
    fn from(reach: Reach<'_>) -> Self {
        match reach {
            Reach::Domain(domain) => Self {
                domain: Some(domain.id().0),
                workspaces: Vec::new(),
            },
            Reach::Workspaces(workspaces) => Self {
                domain: None,
                workspaces: workspaces.iter().map(|access| access.workspace().id.0).collect(),
            },
        }
    }
}
