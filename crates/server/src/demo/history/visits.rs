//! The visits of a generated day: one beacon for each.

use pharos_domain::{
    collect::{
        Beacon, PageLoadId, VisitorId,
        event::{Action, Commerce, CommerceItem, CommerceStep, Event, Events, Origin, Page},
    },
    ids::DomainId,
};
use time::{Duration, OffsetDateTime, Time};
use uuid::Uuid;

use super::{
    shape::{self, Day},
    visitor,
};
use crate::demo::shop::goods::{GOODS, Good, retitled};

const TERMS: [&str; 5] = ["lamp", "lantern", "floor", "paper", "chandelier"];

/// The visits of a day to a shop, those after `until` left out.
pub(super) fn visits(
    domain: DomainId,
    host: &str,
    day: Day,
    until: OffsetDateTime,
    random: &mut fastrand::Rng,
) -> Vec<Beacon<Events>> {
    let mut made = Vec::new();
    let usual = day.visits(random);
    for visit in 0..usual + day.found_by_title() {
        let is_found_by_title = visit >= usual;
        let hour = shape::hour(random);
        let Ok(begin) = Time::from_hms(hour, random.u8(0..60), random.u8(0..60)) else {
            continue;
        };
        let visit = Visit {
            host,
            day,
            at: day.date.with_time(begin).assume_utc(),
            random,
            events: Vec::new(),
        };
        let events = if is_found_by_title {
            visit.land()
        } else {
            visit.walk()
        };
        let (id, visitor) = (random.u128(..), random.i64(..));
        let client = visitor::client(random);
        let Some(last) = events.last().map(|event| event.at) else {
            continue;
        };
        // A visit belongs to one UTC day, as the shop's own do.
        if day.is_down(hour) || last.date() != day.date || last > until {
            continue;
        }
        made.push(Beacon {
            id: Uuid::from_u128(id),
            domain,
            visitor: VisitorId(visitor),
            received_at: last,
            client,
            content: Events(events),
        });
    }
    made
}

struct Visit<'a> {
    host: &'a str,
    day: Day,
    at: OffsetDateTime,
    random: &'a mut fastrand::Rng,
    events: Vec<Event>,
}

impl Visit<'_> {
    /// From the first page to where this visitor gives up.
    fn walk(mut self) -> Vec<Event> {
        let origin = visitor::origin(self.day, self.random);
        let good = &GOODS[self.random.usize(0..GOODS.len())];
        self.view("/", "Lamps", origin);
        // Who waits, leaves.
        let stays = if self.day.is_slow() { 38 } else { 58 };
        if !self.chance(stays) {
            return self.events;
        }
        let mut list = ("/", "Lamps");
        if self.chance(30) {
            list = ("/search", "Search");
            let page = self.view(list.0, list.1, Origin::default());
            let term = TERMS[self.random.usize(0..TERMS.len())].to_owned();
            let term = Some(term);
            self.act(&page, Action::Search { term, results: None });
        }
        self.consider(good, Origin::default(), Some(list));
        self.events
    }

    /// From the search to the product whose title is shorter.
    fn land(mut self) -> Vec<Event> {
        self.consider(retitled(), visitor::searched(), None);
        self.events
    }

    /// From the page of a product to where this visitor gives up. Some of those who do not buy go back to the list that they came from,
    /// or from the checkout to the cart.
    fn consider(&mut self, good: &Good, origin: Origin, list: Option<(&str, &str)>) {
        let page = self.view(&format!("/product/{}", good.id), good.name, origin);
        self.sell(&page, "view_item", CommerceStep::View, good, None);
        if self.chance(8) {
            let url = format!("http://{}/files/price-list.pdf", self.host);
            self.act(&page, Action::Download { url });
        }
        if self.chance(6) {
            let url = "https://www.example.com/lumens".to_owned();
            self.act(&page, Action::Outbound { url });
        }
        if !self.chance(34) {
            if let Some((path, title)) = list
                && self.chance(25)
            {
                self.view(path, title, Origin::default());
            }
            return;
        }
        self.sell(&page, "add_to_cart", CommerceStep::AddToCart, good, None);
        self.view("/cart", "Cart", Origin::default());
        if !self.chance(60) {
            return;
        }
        let page = self.view("/checkout", "Checkout", Origin::default());
        self.sell(&page, "begin_checkout", CommerceStep::Checkout, good, None);
        let buys = if self.day.is_slow() { 40 } else { 65 };
        if self.chance(buys) {
            let page = self.view("/thank-you", "Thank you", Origin::default());
            let order = format!("G-{:08X}", self.random.u32(..));
            self.sell(&page, "purchase", CommerceStep::Purchase, good, Some(order));
        } else if self.chance(30) {
            self.view("/cart", "Cart", Origin::default());
        }
    }

    fn chance(&mut self, of_a_hundred: u8) -> bool {
        self.random.u8(0..100) < of_a_hundred
    }

    /// Looks at a page for a while, and returns it with its load.
    fn view(&mut self, path: &str, title: &str, origin: Origin) -> (Page, PageLoadId) {
        let page = Page {
            host: self.host.to_owned(),
            path: path.to_owned(),
            title: Some(title.to_owned()),
            origin,
        };
        let seen = (page, PageLoadId(self.random.i64(..)));
        self.act(&seen, Action::PageView);
        let visible_ms = self.random.u32(2_000..75_000);
        self.at += Duration::milliseconds(i64::from(visible_ms));
        let scroll_pct = Some(self.random.u8(25..=100));
        self.act(
            &seen,
            Action::Engagement {
                visible_ms,
                scroll_pct,
            },
        );
        seen
    }

    fn act(&mut self, (page, load): &(Page, PageLoadId), action: Action) {
        self.events.push(Event {
            at: self.at,
            load: Some(*load),
            page: page.clone(),
            action,
        });
    }

    fn sell(
        &mut self,
        page: &(Page, PageLoadId),
        name: &str,
        step: CommerceStep,
        good: &Good,
        order_id: Option<String>,
    ) {
        let commerce = Commerce {
            step,
            order_id,
            value_cents: Some(i64::from(good.cents)),
            currency: Some("USD".to_owned()),
            items: vec![CommerceItem {
                id: good.id.to_owned(),
                name: Some(good.name.to_owned()),
                category: Some(good.category.to_owned()),
                brand: None,
                variant: None,
                price_cents: Some(i64::from(good.cents)),
                quantity: 1,
            }],
        };
        let action = Action::Custom {
            name: name.to_owned(),
            // Those of ecommerce are told apart from the site's own.
            properties: Vec::new(),
            commerce: Some(commerce),
        };
        self.act(page, action);
    }
}
