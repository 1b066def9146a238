//! Which answers are kept, for how long, and which a change takes away.

use std::time::Duration;

use bytes::Bytes;
use pharos_domain::{
    ids::{DomainId, WorkspaceId},
    module::Module,
};
use pharos_http::metering::{CacheKey, CachedAnswer, Lookup};

use super::{Backing, MINUTE, answer, question};
use crate::harness::on_every_backing;

on_every_backing!(Backing:
    an_answer_is_found_as_it_was_kept,
    an_answer_is_found_by_everything_that_was_asked,
    an_answer_is_kept_for_its_time,
    an_answer_that_is_kept_for_no_time_is_not_found,
    a_change_takes_away_what_was_kept_about_its_domain_and_module,
    an_answer_that_a_change_has_overtaken_is_never_found,
    an_answer_is_replaced_by_a_younger_one,
    a_hit_tells_the_ticket_for_an_answer_that_is_computed_all_the_same,
    an_answer_about_no_single_domain_is_kept_too,
);

async fn an_answer_is_found_as_it_was_kept(backing: &Backing) {
    let page = |next: &str| CachedAnswer {
        next: Some(next.to_owned()),
        ..answer("{}")
    };
    for kept in [
        answer(Bytes::new()),
        answer("{}"),
        answer(vec![0xff; 300_000]),
        page("50"),
        page(&"AgEB".repeat(2_000)),
    ] {
        let key = question();
        let ticket = backing.miss(&key).await;
        backing.cache.put(&key, ticket, kept.clone(), MINUTE).await;
        assert_eq!(backing.cache.get(&key).await, Lookup::Hit(kept, ticket));
    }
}

async fn an_answer_is_found_by_everything_that_was_asked(backing: &Backing) {
    let key = question();
    backing.keep(&key, "kept", MINUTE).await;
    let others = [
        CacheKey {
            operation: "listUptimeChecks",
            ..key.clone()
        },
        CacheKey {
            module: Module::Rum,
            ..key.clone()
        },
        CacheKey {
            workspace: WorkspaceId::generate(),
            ..key.clone()
        },
        CacheKey {
            domain: Some(DomainId::generate()),
            ..key.clone()
        },
        CacheKey {
            domain: None,
            ..key.clone()
        },
        CacheKey {
            parameters: "x".repeat(100_000),
            ..key.clone()
        },
    ];
    for other in others {
        backing.miss(&other).await;
    }
    backing.hit(&key).await;
}

async fn an_answer_is_kept_for_its_time(backing: &Backing) {
    let (short, long) = (question(), question());
    backing.keep(&short, "short", Duration::from_secs(2)).await;
    backing.keep(&long, "long", MINUTE).await;
    backing.hit(&short).await;
    backing.pass(Duration::from_millis(2_010)).await;
    backing.miss(&short).await;
    backing.hit(&long).await;
}

async fn an_answer_that_is_kept_for_no_time_is_not_found(backing: &Backing) {
    let key = question();
    backing.keep(&key, "gone", Duration::ZERO).await;
    backing.miss(&key).await;
}

async fn a_change_takes_away_what_was_kept_about_its_domain_and_module(backing: &Backing) {
    let key = question();
    let same = CacheKey {
        parameters: "4:days2:30".to_owned(),
        ..key.clone()
    };
    let other_module = CacheKey {
        module: Module::Crux,
        ..key.clone()
    };
    for key in [&key, &same, &other_module] {
        backing.keep(key, "kept", MINUTE).await;
    }
    backing.cache.raise(key.domain.unwrap(), Module::Uptime).await;
    backing.miss(&key).await;
    backing.miss(&same).await;
    backing.hit(&other_module).await;
    // And is kept anew.
    backing.keep(&key, "anew", MINUTE).await;
    assert_eq!(backing.hit(&key).await, "anew");
}

async fn an_answer_that_a_change_has_overtaken_is_never_found(backing: &Backing) {
    let key = question();
    let early = backing.miss(&key).await;
    backing.cache.raise(key.domain.unwrap(), Module::Uptime).await;
    let late = backing.miss(&key).await;
    assert_ne!(early, late);
    backing.cache.put(&key, early, answer("overtaken"), MINUTE).await;
    backing.miss(&key).await;
    backing.cache.put(&key, late, answer("present"), MINUTE).await;
    assert_eq!(backing.hit(&key).await, "present");
    // However often it is raised, no ticket comes back.
    let mut seen = vec![early, late];
    for _ in 0..50 {
        backing.cache.raise(key.domain.unwrap(), Module::Uptime).await;
        let ticket = backing.miss(&key).await;
        assert!(!seen.contains(&ticket));
        seen.push(ticket);
    }
}

async fn an_answer_is_replaced_by_a_younger_one(backing: &Backing) {
    let key = question();
    let ticket = backing.miss(&key).await;
    for body in ["one", "two"] {
        backing.cache.put(&key, ticket, answer(body), MINUTE).await;
        assert_eq!(backing.hit(&key).await, body);
    }
}

async fn a_hit_tells_the_ticket_for_an_answer_that_is_computed_all_the_same(backing: &Backing) {
    let key = question();
    let ticket = backing.miss(&key).await;
    backing.cache.put(&key, ticket, answer("kept"), MINUTE).await;
    let expected = Lookup::Hit(answer("kept"), ticket);
    assert_eq!(backing.cache.get(&key).await, expected);
}

async fn an_answer_about_no_single_domain_is_kept_too(backing: &Backing) {
    let key = CacheKey {
        domain: None,
        ..question()
    };
    backing.keep(&key, "kept", MINUTE).await;
    backing.cache.raise(DomainId::generate(), Module::Uptime).await;
    // In memory the change may share its place with another's, which drops too much and never too little.
    assert!(!matches!(backing.cache.get(&key).await, Lookup::Unavailable));
}
