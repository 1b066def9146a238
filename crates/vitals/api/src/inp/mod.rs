//! /domains/{domain_id}/rum/inp

pub(super) mod elements;
pub(super) mod scripts;
pub(super) mod view;
