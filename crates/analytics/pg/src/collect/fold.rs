//! The sessions of visitors, changed by a batch.

use std::collections::{BTreeMap, HashMap};

use pharos_analytics::{
    dimension::Dimension,
    sessions::{Place, Visit, Visits},
};
use pharos_domain::{
    collect::{
        Beacon, VisitorId,
        event::{Action, Event, Events},
    },
    ids::DomainId,
    store::StoreError,
};
use pharos_persistence::moment::to_micros;
use time::{Date, OffsetDateTime};

use super::session::SessionRow;
use crate::dictionary::Numbers;

/// A visitor as the tables know one: of a domain, with an id that is not the same on two days.
pub(super) type Visitor = (DomainId, i64);

/// The id of a visitor on a day. Ids change with the day by themselves, but one that comes late, or whose day began on
/// another clock, may be seen on two; then distinct visitors of days would not add up.
pub(super) fn of_day(VisitorId(id): VisitorId, day: Date) -> i64 {
    // SplitMix64 of the day: one to one for each day.
    let mut mixed = u64::from(day.to_julian_day().unsigned_abs()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    id ^ (mixed ^ (mixed >> 31)).cast_signed()
}

/// Something that happened, with whose it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signal<'a> {
    pub(super) visitor: Visitor,
    pub(super) at: OffsetDateTime,
    pub(super) beacon: &'a Beacon<Events>,
    pub(super) event: &'a Event,
}

/// The signals of beacons, by visitor and in order of time.
pub(super) fn signals<'a>(beacons: impl IntoIterator<Item = &'a Beacon<Events>>) -> Vec<Signal<'a>> {
    let mut signals: Vec<Signal<'a>> = beacons
        .into_iter()
        .flat_map(|beacon| {
            beacon.content.0.iter().map(move |event| Signal {
                visitor: (beacon.domain, of_day(beacon.visitor, event.at.date())),
                at: to_micros(event.at),
                beacon,
                event,
            })
        })
        .collect();
    signals.sort_by_key(|signal| (signal.visitor, signal.at));
    signals
}

/// A session that a batch adds to.
#[derive(Debug)]
pub(super) struct Touched {
    pub(super) visitor: Visitor,
    /// Where it began before; `None`: it is new.
    pub(super) began_at: Option<OffsetDateTime>,
    /// From its first to its last sign of life.
    pub(super) visit: Visit,
    /// Its dimensions, where the batch has its beginning.
    pub(super) row: Option<SessionRow>,
    /// The page views that come to it.
    pub(super) pageviews: i32,
    /// The events.
    pub(super) events: i32,
    /// Downloads and links to other hosts.
    pub(super) clicks: i32,
    /// The first page view that comes to it.
    pub(super) entry: Option<(OffsetDateTime, i32)>,
    /// The last.
    pub(super) exit: Option<(OffsetDateTime, i32)>,
}

/// A signal with its page, and its session.
#[derive(Debug)]
pub(super) struct Placed<'a> {
    pub(super) signal: Signal<'a>,
    pub(super) page: i32,
    pub(super) session: Option<i64>,
}

/// The result of folding a batch.
#[derive(Debug)]
pub(super) struct Folded<'a> {
    pub(super) visitors: BTreeMap<Visitor, Visits>,
    pub(super) sessions: HashMap<i64, Touched>,
    pub(super) placed: Vec<Placed<'a>>,
}

/// Puts signals, in order, into the sessions of their visitors.
pub(super) fn fold<'a>(
    signals: Vec<Signal<'a>>,
    mut visitors: BTreeMap<Visitor, Visits>,
    numbers: &Numbers,
) -> Result<Folded<'a>, StoreError> {
    let mut sessions: HashMap<i64, Touched> = HashMap::new();
    let mut placed = Vec::with_capacity(signals.len());
    for signal in signals {
        let visits = visitors.entry(signal.visitor).or_default();
        let before: Vec<Visit> = visits.as_slice().to_vec();
        let is_engagement = matches!(signal.event.action, Action::Engagement { .. });
        let place = if is_engagement {
            visits.stay(signal.at)
        } else {
            visits.act(signal.at, fastrand::i64(1..))
        };
        let domain = signal.beacon.domain;
        let page = numbers.of(domain, Dimension::Page, &signal.event.page.path)?;
        if let (Some(id), false) = (place.session(), matches!(place, Place::After(_))) {
            let visit = visits.as_slice().iter().find(|visit| visit.id == id).copied();
            let visit = visit.ok_or_else(|| StoreError::Failed("a session that is not there".into()))?;
            let touched = sessions.entry(id).or_insert_with(|| Touched {
                visitor: signal.visitor,
                began_at: before
                    .iter()
                    .find(|visit| visit.id == id)
                    .map(|visit| visit.started_at),
                visit,
                row: None,
                pageviews: 0,
                events: 0,
                clicks: 0,
                entry: None,
                exit: None,
            });
            touched.visit = visit;
            if matches!(place, Place::Opens(_) | Place::Begins(_)) {
                let origin = &signal.event.page.origin;
                touched.row = Some(SessionRow::new(domain, &signal.beacon.client, origin, numbers)?);
            }
            touched.count(&signal, page);
        }
        placed.push(Placed {
            signal,
            page,
            session: place.session(),
        });
    }
    Ok(Folded {
        visitors,
        sessions,
        placed,
    })
}

impl Touched {
    fn count(&mut self, signal: &Signal<'_>, page: i32) {
        match signal.event.action {
            Action::PageView => {
                self.pageviews += 1;
                if self.entry.is_none_or(|(at, _)| signal.at < at) {
                    self.entry = Some((signal.at, page));
                }
                if self.exit.is_none_or(|(at, _)| signal.at >= at) {
                    self.exit = Some((signal.at, page));
                }
            }
            Action::Custom { .. } => self.events += 1,
            Action::Outbound { .. } | Action::Download { .. } => self.clicks += 1,
            Action::Engagement { .. } | Action::Search { .. } => {}
        }
    }
}
