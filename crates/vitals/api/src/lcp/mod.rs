//! /domains/{domain_id}/rum/lcp

pub(super) mod elements;
pub(super) mod view;
