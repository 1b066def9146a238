//! Messages as each chat service and each service for those on call takes them.

pub(super) mod discord;
pub(super) mod ntfy;
pub(super) mod opsgenie;
pub(super) mod pagerduty;
pub(super) mod slack;
pub(super) mod teams;
pub(super) mod telegram;
