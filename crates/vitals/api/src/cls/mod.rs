//! /domains/{domain_id}/rum/cls

pub(super) mod elements;
