//! /alerts and /domains/{domain_id}/alerts

pub(super) mod alert;
pub(super) mod domain_history;
pub(super) mod history;
pub(super) mod metrics;
pub(super) mod one;
pub(super) mod rules;
pub(super) mod widgets;
