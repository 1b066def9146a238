//! The domains that something is done with right now, by one task each of a node.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use pharos_domain::ids::DomainId;

/// The domains that are taken.
#[derive(Debug, Default)]
pub(super) struct Claims {
    busy: Mutex<HashSet<DomainId>>,
}

/// The right to a domain. Dropped, it gives the domain back.
#[derive(Debug)]
pub(super) struct Claim<'a> {
    claims: &'a Claims,
    domain: DomainId,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.claims.busy().remove(&self.domain);
    }
}

impl Claims {
    /// The right to a domain; `None`: it is taken.
    pub(super) fn claim(&self, domain: DomainId) -> Option<Claim<'_>> {
        let is_free = self.busy().insert(domain);
        // A claim that is made gives the domain back when it is dropped, so none is made of a domain that is taken.
        is_free.then(|| Claim { claims: self, domain })
    }

    fn busy(&self) -> MutexGuard<'_, HashSet<DomainId>> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_domain_is_claimed_once_at_a_time() {
        let claims = Claims::default();
        let (one, other) = (DomainId(Uuid::from_u128(1)), DomainId(Uuid::from_u128(2)));
        let first = claims.claim(one);
        assert!(first.is_some() && claims.claim(other).is_some());
        // Twice, since the first refusal must give nothing back.
        assert!(claims.claim(one).is_none() && claims.claim(one).is_none());
        drop(first);
        assert!(claims.claim(one).is_some());
    }
}
