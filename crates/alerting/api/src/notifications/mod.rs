//! /notifications and /domains/{domain_id}/notifications

pub(crate) mod all;
pub(crate) mod list;
pub(crate) mod notification;
pub(crate) mod read;
pub(crate) mod read_all;
pub(crate) mod trend;
pub(crate) mod view;

use pharos_domain::{ids::NotificationId, problem::Suffix};
use pharos_http::problem::{Problem, out_of_reach};

/// 404: there is no such notification about the domain.
fn missing(id: NotificationId) -> Problem {
    out_of_reach(Suffix::NotificationNotFound, "notification", id)
}
