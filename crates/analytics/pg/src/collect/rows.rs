//! The rows that a batch adds, with numbers for texts.

use std::{borrow::Cow, collections::BTreeMap};

use pharos_analytics::dimension::Dimension;
use pharos_domain::{
    collect::event::{Action, Commerce, CommerceStep, PropertyValue},
    store::StoreError,
};
use pharos_persistence::text::{beginning, without_nul};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    fold::{Folded, Placed, Signal, Visitor},
    texts::of_item,
};
use crate::dictionary::Numbers;

/// The longest title that is kept, in bytes: the 300 characters that collection lets through, of four bytes each.
const LONGEST_TITLE: usize = 1_200;
/// The longest order id that is kept, in bytes.
const LONGEST_ORDER_ID: usize = 500;

/// Which hit, and of which session.
#[derive(Clone, Copy, Debug)]
pub(super) struct HitKey {
    pub(super) domain: Uuid,
    pub(super) at: OffsetDateTime,
    pub(super) hit: i64,
    pub(super) session: i64,
    pub(super) visitor: i64,
}

#[derive(Debug)]
pub(super) struct HitRow {
    pub(super) key: HitKey,
    /// When its session began.
    pub(super) started_at: OffsetDateTime,
    pub(super) kind: i16,
    pub(super) page: i32,
    pub(super) event: Option<i32>,
    pub(super) link: Option<i32>,
    pub(super) term: Option<i32>,
    pub(super) results: Option<i32>,
}

#[derive(Debug)]
pub(super) struct EngagementRow {
    pub(super) domain: Uuid,
    pub(super) at: OffsetDateTime,
    pub(super) id: i64,
    pub(super) session: Option<i64>,
    pub(super) load: i64,
    pub(super) page: i32,
    pub(super) visible_ms: i32,
    pub(super) scroll_pct: Option<i16>,
}

#[derive(Debug)]
pub(super) struct PropertyRow {
    pub(super) key: HitKey,
    pub(super) event: i32,
    pub(super) place: i16,
    pub(super) property: i32,
    pub(super) text: Option<i32>,
    pub(super) number: Option<f64>,
    pub(super) flag: Option<bool>,
}

#[derive(Debug)]
pub(super) struct CommerceRow<'a> {
    pub(super) key: HitKey,
    pub(super) step: i16,
    pub(super) order_id: Option<Cow<'a, str>>,
    pub(super) value_cents: Option<i64>,
    /// Empty: the site's own.
    pub(super) currency: &'a str,
    pub(super) is_repeated: bool,
}

impl CommerceRow<'_> {
    pub(super) const fn is_purchase(&self) -> bool {
        self.step == step_number(CommerceStep::Purchase)
    }

    pub(super) const fn is_refund(&self) -> bool {
        self.step == step_number(CommerceStep::Refund)
    }
}

#[derive(Debug)]
pub(super) struct ItemRow {
    pub(super) key: HitKey,
    pub(super) step: i16,
    pub(super) place: i16,
    pub(super) product: i32,
    /// Name, category, brand, variant.
    pub(super) others: [Option<i32>; 4],
    pub(super) price_cents: Option<i64>,
    pub(super) quantity: i32,
}

/// The number of a step in the tables.
const fn step_number(step: CommerceStep) -> i16 {
    match step {
        CommerceStep::View => 0,
        CommerceStep::AddToCart => 1,
        CommerceStep::Checkout => 2,
        CommerceStep::Purchase => 3,
        CommerceStep::Refund => 4,
    }
}

/// All rows of a batch but those of sessions.
#[derive(Debug, Default)]
pub(super) struct Rows<'a> {
    pub(super) hits: Vec<HitRow>,
    pub(super) engagements: Vec<EngagementRow>,
    pub(super) properties: Vec<PropertyRow>,
    pub(super) commerce: Vec<CommerceRow<'a>>,
    pub(super) items: Vec<ItemRow>,
    pub(super) titles: BTreeMap<(Uuid, i32), String>,
}

impl<'a> Rows<'a> {
    pub(super) fn of(folded: &Folded<'a>, numbers: &Numbers) -> Result<Self, StoreError> {
        let mut rows = Self::default();
        let mut last: Option<(Visitor, OffsetDateTime, i64)> = None;
        for placed in &folded.placed {
            let Signal { visitor, at, .. } = placed.signal;
            // Pages tell of what happens at once in order. Ids keep it: funnels and journeys go by time, and then by id.
            let id = match last {
                Some((of, then, id)) if (of, then) == (visitor, at) => id + 1,
                _ => fastrand::i64(1..i64::MAX / 2),
            };
            last = Some((visitor, at, id));
            rows.add(folded, placed, id, numbers)?;
        }
        Ok(rows)
    }

    fn add(
        &mut self,
        folded: &Folded<'a>,
        placed: &Placed<'a>,
        id: i64,
        numbers: &Numbers,
    ) -> Result<(), StoreError> {
        let signal = placed.signal;
        let (domain, visitor) = signal.visitor;
        if let Action::Engagement {
            visible_ms,
            scroll_pct,
        } = signal.event.action
        {
            self.engagements.push(EngagementRow {
                domain: domain.0,
                at: signal.at,
                id,
                session: placed.session,
                load: signal.event.load.map_or(id, |load| load.0),
                page: placed.page,
                visible_ms: i32::try_from(visible_ms).unwrap_or(i32::MAX),
                scroll_pct: scroll_pct.map(|pct| pct.min(100).into()),
            });
            return Ok(());
        }
        let session = placed.session.and_then(|id| folded.sessions.get(&id));
        let session = session.ok_or_else(|| StoreError::Failed("a hit without its session".into()))?;
        let key = HitKey {
            domain: domain.0,
            at: signal.at,
            hit: id,
            session: session.visit.id,
            visitor,
        };
        let mut hit = HitRow {
            key,
            started_at: session.visit.started_at,
            kind: 0,
            page: placed.page,
            event: None,
            link: None,
            term: None,
            results: None,
        };
        let event: &'a _ = signal.event;
        match &event.action {
            Action::PageView | Action::Engagement { .. } => {
                if let Some(title) = event
                    .page
                    .title
                    .as_deref()
                    .map(str::trim)
                    .filter(|title| !title.is_empty())
                {
                    let title = beginning(without_nul(title.to_owned()), LONGEST_TITLE);
                    self.titles.insert((domain.0, placed.page), title);
                }
            }
            Action::Custom {
                name,
                properties,
                commerce,
            } => {
                let number = numbers.of(domain, Dimension::Event, name)?;
                hit.kind = 1;
                hit.event = Some(number);
                for (place, (property, value)) in (0..).zip(properties) {
                    self.properties.push(PropertyRow {
                        key,
                        event: number,
                        place,
                        property: numbers.of(domain, Dimension::Property, property)?,
                        text: match value {
                            PropertyValue::Text(text) => {
                                Some(numbers.of(domain, Dimension::PropertyValue, text)?)
                            }
                            _ => None,
                        },
                        number: match value {
                            PropertyValue::Number(number) => Some(*number),
                            _ => None,
                        },
                        flag: match value {
                            PropertyValue::Flag(flag) => Some(*flag),
                            _ => None,
                        },
                    });
                }
                if let Some(commerce) = commerce {
                    self.add_commerce(key, commerce, numbers)?;
                }
            }
            Action::Outbound { url } => {
                hit.kind = 2;
                hit.link = Some(numbers.of(domain, Dimension::Link, url)?);
            }
            Action::Download { url } => {
                hit.kind = 3;
                hit.link = Some(numbers.of(domain, Dimension::Link, url)?);
            }
            Action::Search { term, results } => {
                hit.kind = 4;
                hit.term = numbers.of_any(domain, Dimension::SearchTerm, term.as_deref())?;
                hit.results = results.map(|results| i32::try_from(results).unwrap_or(i32::MAX));
            }
        }
        self.hits.push(hit);
        Ok(())
    }

    fn add_commerce(
        &mut self,
        key: HitKey,
        commerce: &'a Commerce,
        numbers: &Numbers,
    ) -> Result<(), StoreError> {
        let domain = pharos_domain::ids::DomainId(key.domain);
        let step = step_number(commerce.step);
        let order_id = commerce
            .order_id
            .as_deref()
            .map(str::trim)
            .filter(|id| !id.is_empty());
        self.commerce.push(CommerceRow {
            key,
            step,
            order_id: order_id.map(|id| {
                if id.len() > LONGEST_ORDER_ID || id.contains('\0') {
                    Cow::Owned(beginning(without_nul(id.to_owned()), LONGEST_ORDER_ID))
                } else {
                    Cow::Borrowed(id)
                }
            }),
            value_cents: commerce.value_cents.map(|cents| cents.max(0)),
            currency: commerce.currency.as_deref().unwrap_or_default(),
            is_repeated: false,
        });
        for (place, item) in (0..).zip(&commerce.items) {
            let mut others = [None; 4];
            for (other, (dimension, text)) in others.iter_mut().zip(of_item(item)) {
                *other = numbers.of_any(domain, dimension, text)?;
            }
            self.items.push(ItemRow {
                key,
                step,
                place,
                product: numbers.of(domain, Dimension::Product, &item.id)?,
                others,
                price_cents: item.price_cents,
                quantity: i32::try_from(item.quantity).unwrap_or(i32::MAX),
            });
        }
        Ok(())
    }
}
