//! The answer of a delete.

use pharos_domain::timestamp::Timestamp;
use serde::Serialize;
use time::{OffsetDateTime, macros::datetime};
use utoipa::ToSchema;
use uuid::{Uuid, uuid};

use crate::payload::Example;

/// Something that was deleted.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct DeletedResponse {
    /// The id of the thing that was deleted.
    id: Uuid,
    /// Always true.
    deleted: bool,
    /// When it was deleted.
    deleted_at: Timestamp,
    /// Whether the history of it stays, and can still be read.
    history_retained: bool,
}

impl DeletedResponse {
    /// It is gone, and its history stays.
    #[must_use]
    pub fn retaining_history(id: Uuid, now: OffsetDateTime) -> Self {
        Self {
            id,
            deleted: true,
            deleted_at: now.into(),
            history_retained: true,
        }
    }

    /// It is gone with its history.
    #[must_use]
    pub fn forgetting_history(id: Uuid, now: OffsetDateTime) -> Self {
        Self {
            history_retained: false,
            ..Self::retaining_history(id, now)
        }
    }
}

impl Example for DeletedResponse {
    fn example() -> Self {
        Self::retaining_history(
            uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e20"),
            datetime!(2026-03-31 09:15:00 UTC),
        )
    }
}
