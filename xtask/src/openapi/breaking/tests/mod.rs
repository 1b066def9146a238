//! Each rule is proved on a document that breaks it: that rule is reported, and on the fixture no other.

mod additions;
mod breaks;
mod edit;

use std::collections::BTreeSet;

use serde_json::json;

use self::{
    additions::ADDITIONS,
    breaks::BREAKS,
    edit::{remove_property, set_at},
};
use super::{Rule, between};
use crate::openapi::{
    document::Document,
    fault::Rule as _,
    mutation::{changed, committed, fixture},
};

#[test]
fn every_break_of_the_fixture_is_reported_by_its_own_rule_alone() {
    let old = fixture();
    for (rule, what, change) in BREAKS {
        let new = changed(&old, *change).unwrap_or_else(|| panic!("the fixture has no place for: {what}"));
        assert_eq!(
            rules(&old, &new),
            BTreeSet::from([*rule]),
            "{what}: {:#?}",
            between(&old, &new)
        );
    }
}

#[test]
fn every_rule_is_proved_by_a_break() {
    let proved: BTreeSet<Rule> = BREAKS.iter().map(|(rule, ..)| *rule).collect();
    assert_eq!(proved, Rule::ALL.iter().copied().collect());
}

#[test]
fn additions_to_the_fixture_break_nobody() {
    let old = fixture();
    for (what, change) in ADDITIONS {
        let new = changed(&old, *change).unwrap_or_else(|| panic!("the fixture has no place for: {what}"));
        assert_eq!(
            rules(&old, &new),
            BTreeSet::new(),
            "{what}: {:#?}",
            between(&old, &new)
        );
    }
}

#[test]
fn a_document_does_not_break_itself() {
    for document in [Some(fixture()), committed()].into_iter().flatten() {
        assert_eq!(rules(&document, &document), BTreeSet::new());
    }
}

/// The real document shares schemas between answers and requests, so one change may break two rules there.
#[test]
fn the_breaks_are_found_in_the_committed_document_too() {
    let Some(old) = committed() else { return };
    for (rule, what, change) in BREAKS {
        if let Some(new) = changed(&old, *change) {
            assert!(
                rules(&old, &new).contains(rule),
                "{what}: {:#?}",
                between(&old, &new)
            );
        }
    }
}

#[test]
fn a_break_behind_a_circle_of_references_is_found_and_ends() {
    let old = fixture();
    let new = changed(&old, |root| {
        set_at(
            root,
            "/components/schemas/Check/properties/parent",
            json!({"type": "string"}),
        )
    });
    assert!(rules(&old, &new.unwrap()).contains(&Rule::ResponseFieldRetyped));
}

#[test]
fn a_fault_names_the_operation_and_the_field() {
    let old = fixture();
    let new = changed(&old, |root| {
        remove_property(root.pointer_mut("/components/schemas/Phases")?, "dns_ms")
    });
    let faults: Vec<String> = between(&old, &new.unwrap())
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        faults,
        [
            "response-field-removed: GET /api/public/v1/domains/{domain_id}/uptime/checks, \
          response 200.items[].phases: dns_ms is gone"
        ]
    );
}

fn rules(old: &Document, new: &Document) -> BTreeSet<Rule> {
    between(old, new).iter().map(|fault| fault.rule).collect()
}
