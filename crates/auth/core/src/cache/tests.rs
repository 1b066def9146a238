//! Entries, the lists that they share, and how much both take.

use pharos_domain::{
    identity::{CredentialKind, ModuleSet, ReachableDomain, ReachableWorkspace, SubscriptionStatus},
    ids::{CredentialId, DomainId, UserId, WorkspaceId},
    invalidation::MOST_SILENCE,
    role::Role,
    scope::ScopeSet,
};

use super::*;
use crate::{footprint::of_identity, secret::SecretDigest};

fn cache() -> (Arc<Invalidation>, IdentityCache<SecretDigest, ()>, SecretDigest) {
    let invalidation = Arc::new(Invalidation::default());
    let cache = IdentityCache::new(Arc::clone(&invalidation));
    (invalidation, cache, SecretDigest::of("key"))
}

#[test]
fn an_entry_is_used_until_something_changes() {
    let (invalidation, cache, digest) = cache();
    invalidation.heard(Instant::now());
    cache.put(digest, cache.generation(), None);
    assert!(cache.get(&digest).is_some());
    invalidation.raise();
    assert!(cache.get(&digest).is_none());
}

#[test]
fn a_read_that_began_before_a_change_is_not_kept() {
    let (invalidation, cache, digest) = cache();
    invalidation.heard(Instant::now());
    let generation = cache.generation();
    invalidation.raise();
    cache.put(digest, generation, None);
    assert!(cache.get(&digest).is_none());
}

#[test]
fn without_notifications_nothing_is_used() {
    let (invalidation, cache, digest) = cache();
    cache.put(digest, cache.generation(), None);
    assert!(cache.get(&digest).is_none(), "never heard");
    invalidation.heard(Instant::now());
    assert!(cache.get(&digest).is_some());
    invalidation.heard(Instant::now().checked_sub(MOST_SILENCE).unwrap());
    assert!(cache.get(&digest).is_none(), "silent for too long");
    invalidation.heard(Instant::now());
    invalidation.deaf();
    assert!(cache.get(&digest).is_none(), "disconnected");
}

/// The identity of a token of a workspace with these domains, as the store gives it: with a list of its own.
fn identity(workspace: WorkspaceId, domains: &[ReachableDomain]) -> Identity {
    Identity {
        kind: CredentialKind::OauthToken,
        credential_id: CredentialId::generate(),
        user_id: UserId::generate(),
        name: None,
        key_prefix: None,
        expires_at: None,
        client_id: None,
        audience: None,
        scopes: ScopeSet::default(),
        workspaces: vec![ReachableWorkspace {
            id: workspace,
            role: Role::Owner,
            subscription: SubscriptionStatus::Active,
            plan_modules: ModuleSet::default(),
            domains: domains.into(),
        }],
        default_workspace_id: Some(workspace),
    }
}

fn domains(count: usize) -> Vec<ReachableDomain> {
    let domain = |number| ReachableDomain {
        id: DomainId::generate(),
        hostname: format!("shop-{number}.example").parse().unwrap(),
    };
    (0..count).map(domain).collect()
}

fn until(is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < deadline, "it never is");
        std::thread::sleep(Duration::from_millis(1));
    }
}

type Identities = IdentityCache<u32, Arc<Identity>>;

fn identities() -> (Arc<Invalidation>, Identities) {
    let invalidation = Arc::new(Invalidation::default());
    invalidation.heard(Instant::now());
    let cache = IdentityCache::new(Arc::clone(&invalidation));
    (invalidation, cache)
}

fn keep(cache: &Identities, key: u32, mut identity: Identity, ends_in: Option<Duration>) {
    let generation = cache.generation();
    cache.share(generation, &mut identity);
    let known = Known {
        bytes: of_identity(&identity),
        record: Arc::new(identity),
        ends_in,
    };
    cache.put(key, generation, Some(known));
}

/// The memory of this process that is in use, in bytes.
fn resident() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split(' ').nth(1)?.parse::<usize>().ok()? * 4_096)
}

/// Each with a list of its own, they would take more than a gigabyte.
#[test]
fn two_thousand_tokens_of_a_workspace_of_ten_thousand_domains_take_less_than_64_mebibytes() {
    let (_, cache) = identities();
    let (workspace, domains) = (WorkspaceId::generate(), domains(10_000));
    let before = resident();
    for key in 0..2_000 {
        keep(&cache, key, identity(workspace, &domains), None);
    }
    cache.known.run_pending_tasks();
    assert_eq!(cache.known.entry_count(), 2_000);
    assert!(cache.known.weighted_size() < 2_000 * 1_024);
    if let (Some(before), Some(after)) = (before, resident()) {
        let grown = after.saturating_sub(before) >> 20;
        assert!(grown < 64, "{grown} MiB");
    }
}

#[test]
fn lists_are_shared_within_a_generation_and_go_with_it() {
    let (invalidation, cache) = identities();
    let (workspace, domains) = (WorkspaceId::generate(), domains(3));
    let list = |key| {
        cache
            .get(&key)
            .flatten()
            .map(|kept| Arc::clone(&kept.workspaces[0].domains))
    };
    keep(&cache, 1, identity(workspace, &domains), None);
    keep(&cache, 2, identity(workspace, &domains), None);
    let first = list(1).unwrap();
    assert!(Arc::ptr_eq(&first, &list(2).unwrap()));
    // Nobody said so yet: the list is as it was read.
    keep(&cache, 3, identity(workspace, &domains[1..]), None);
    assert_eq!(list(3).unwrap()[..], domains[1..]);

    invalidation.raise();
    keep(&cache, 4, identity(workspace, &domains), None);
    until(|| {
        cache.known.run_pending_tasks();
        let _ = cache.get(&4);
        cache.known.entry_count() == 1 && Arc::strong_count(&first) == 1
    });
}

#[test]
fn lists_that_take_too_much_are_forgotten() {
    let (_, cache) = identities();
    let domains = domains(100_000);
    let each = 100_000 * 60;
    for key in 0..40 {
        keep(&cache, key, identity(WorkspaceId::generate(), &domains), None);
    }
    cache.known.run_pending_tasks();
    let held = cache.known.entry_count();
    assert!(held > 0 && held * each < 128 << 20, "{held} lists are held");
}

#[test]
fn an_entry_goes_when_its_credential_ends() {
    let (invalidation, cache) = identities();
    let (workspace, domains) = (WorkspaceId::generate(), domains(1));
    keep(
        &cache,
        1,
        identity(workspace, &domains),
        Some(Duration::from_millis(5)),
    );
    keep(
        &cache,
        2,
        identity(workspace, &domains),
        Some(Duration::from_secs(3_600)),
    );
    // An entry that has ended is found no more, and goes a moment later.
    until(|| cache.get(&1).is_none());
    until(|| {
        cache.known.run_pending_tasks();
        cache.known.entry_count() == 1
    });
    invalidation.heard(Instant::now());
    assert!(cache.get(&2).is_some());
}
