//! How much memory identities take that are kept, and what they share.

use std::{collections::HashMap, sync::Arc};

use pharos_domain::{
    identity::{Identity, ReachableDomain, ReachableWorkspace},
    ids::WorkspaceId,
};

/// How much the lists of domains may take together, in bytes.
const MOST_BYTES: usize = 64 << 20;
/// The overhead of an allocation in bytes, about.
const ALLOCATION: usize = 16;

/// The heap memory of a text.
fn of_text(text: &str) -> usize {
    text.len() + ALLOCATION
}

/// The heap memory of an identity, without its lists of domains.
pub(crate) fn of_identity(identity: &Identity) -> usize {
    let Identity {
        name,
        key_prefix,
        client_id,
        audience,
        workspaces,
        ..
    } = identity;
    let texts = [name, key_prefix, client_id, audience].into_iter().flatten();
    size_of::<Identity>()
        + texts.map(|text| of_text(text)).sum::<usize>()
        + workspaces.len() * size_of::<ReachableWorkspace>()
}

fn of_domains(domains: &[ReachableDomain]) -> usize {
    domains
        .iter()
        .map(|domain| size_of::<ReachableDomain>() + of_text(domain.hostname.as_str()))
        .sum()
}

/// The lists of domains, each once for all identities that reach its workspace.
#[derive(Debug, Default)]
pub(crate) struct DomainLists {
    lists: HashMap<WorkspaceId, Arc<[ReachableDomain]>>,
    bytes: usize,
}

impl DomainLists {
    /// Whether they take more than they may.
    pub(crate) fn are_too_large(&self) -> bool {
        self.bytes > MOST_BYTES
    }

    /// Makes an identity share the lists that others hold already.
    pub(crate) fn share(&mut self, identity: &mut Identity) {
        for workspace in &mut identity.workspaces {
            match self.lists.get(&workspace.id) {
                Some(list) if *list == workspace.domains => workspace.domains = Arc::clone(list),
                _ => {
                    self.bytes += of_domains(&workspace.domains);
                    self.lists.insert(workspace.id, Arc::clone(&workspace.domains));
                }
            }
        }
    }
}
