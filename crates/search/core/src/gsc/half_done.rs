//! Newest days of which some were asked for, and some are to come with the next piece.

use std::{sync::Arc, time::Duration};

use moka::sync::Cache;
use pharos_domain::ids::DomainId;
use time::OffsetDateTime;

use super::{importer::Tried, link::Link};

/// How many properties it is known of, and for how long after the last piece. Where many have their turn in between, the next piece
/// comes hours later: whatever is forgotten before it begins anew, and might never end.
const KEPT: u64 = 10_000;
const KEPT_FOR: Duration = Duration::from_secs(86_400);

/// Which of the newest days of a property the pieces before asked for. Another node begins them anew.
#[derive(Clone, Debug)]
pub struct HalfDone(Cache<DomainId, Arc<Begun>>);

/// An import of the newest days, of one link and one due time.
#[derive(Debug)]
struct Begun {
    linked_at: OffsetDateTime,
    newest_due_at: OffsetDateTime,
    tried: Tried,
}

impl Default for HalfDone {
    fn default() -> Self {
        let kept = Cache::builder().max_capacity(KEPT).time_to_live(KEPT_FOR);
        Self(kept.build())
    }
}

impl HalfDone {
    /// The days that were asked for of what is due now.
    pub(super) fn take(&self, link: &Link) -> Tried {
        let begun = self.0.remove(&link.domain);
        let begun = begun
            .filter(|begun| (begun.linked_at, begun.newest_due_at) == (link.linked_at, link.newest_due_at));
        begun.map_or_else(Tried::default, |begun| begun.tried.clone())
    }

    pub(super) fn keep(&self, link: &Link, tried: Tried) {
        let begun = Begun {
            linked_at: link.linked_at,
            newest_due_at: link.newest_due_at,
            tried,
        };
        self.0.insert(link.domain, Arc::new(begun));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet, HashMap};

    use pharos_domain::ids::WorkspaceId;
    use time::{Duration, macros::datetime};

    use super::*;
    use crate::gsc::{figures::SearchType, importer::DoneDay, property::PropertyStatus};

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15 UTC);

    #[test]
    fn a_piece_knows_what_is_done_of_what_is_due_and_of_the_link() {
        let link = Link {
            domain: DomainId::generate(),
            workspace: WorkspaceId::generate(),
            site_url: "sc-domain:ada.example".to_owned(),
            account: None,
            status: PropertyStatus::Connected,
            search_types: Vec::new(),
            linked_at: NOW,
            data_through: None,
            reached: HashMap::new(),
            missed: Vec::new(),
            newest_due_at: NOW,
            failures: 0,
        };
        let half_done = HalfDone::default();
        let day = |is_final| DoneDay {
            search_type: SearchType::Web,
            date: NOW.date(),
            is_final,
        };
        let tried = Tried {
            done: BTreeSet::from([day(true)]),
            unread: BTreeMap::from([(day(false), "garbage".into())]),
        };
        let keep = || half_done.keep(&link, tried.clone());
        keep();
        assert_eq!(half_done.take(&link), tried);
        assert_eq!(
            half_done.take(&link),
            Tried::default(),
            "whoever fails begins anew"
        );
        for other in [
            Link {
                newest_due_at: NOW + Duration::DAY,
                ..link.clone()
            },
            Link {
                linked_at: NOW + Duration::DAY,
                ..link.clone()
            },
        ] {
            keep();
            assert_eq!(half_done.take(&other), Tried::default());
        }
    }

    /// With eight at once, 1,000 properties have their turn of five minutes within ten and a half hours.
    #[test]
    fn what_is_done_is_known_until_a_thousand_others_had_their_turn() {
        let policy = HalfDone::default().0.policy();
        let kept_for = policy.time_to_live().unwrap();
        assert!(kept_for > Duration::minutes(5 * 1_000 / 8), "{kept_for:?}");
        assert!(policy.max_capacity().unwrap() > 1_000);
    }
}
