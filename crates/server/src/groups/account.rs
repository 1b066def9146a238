//! The ports of account to the internet: they tell whether a domain is its workspace's.

use std::sync::Arc;

use pharos_account::verification::{OwnershipCheck, SiteCheck};
use pharos_domain::ports::Ports;
use pharos_egress::address_policy::AddressPolicy;

use super::outgoing::{resolver, trust};
use crate::config::Config;

/// Adds the port that looks whether domains are their workspaces'.
///
/// # Errors
/// It needs what can't be had: name servers, certificate authorities.
pub(super) fn outgoing(ports: Ports, config: &Config, policy: &AddressPolicy) -> anyhow::Result<Ports> {
    let check = SiteCheck::new(resolver()?, policy.clone(), &trust(config)?)?;
    Ok(ports.with::<dyn OwnershipCheck>(Arc::new(check)))
}
