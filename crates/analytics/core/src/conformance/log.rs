//! The log.

use pharos_domain::{
    collect::{
        Beacon, PageLoadId, VisitorId,
        client::{Client, Device},
        event::{Action, Commerce, CommerceItem, CommerceStep, Event, Events, Origin, Page, PropertyValue},
    },
    ids::DomainId,
    window::DateRange,
};
use time::{
    Date, OffsetDateTime,
    macros::{date, datetime},
};
use uuid::Uuid;

/// Its first day.
pub const FIRST: Date = date!(2026 - 03 - 30);
/// Its last.
pub const LAST: Date = date!(2026 - 04 - 03);
/// When the last half hour is asked for.
pub const NOW: OffsetDateTime = datetime!(2026-04-03 12:00:30 UTC);

/// All of its days.
#[expect(clippy::expect_used, reason = "a check fails by panicking")]
pub(super) fn days() -> DateRange {
    DateRange::new(FIRST, LAST).expect("the last day does not lie before the first")
}

/// Who visits, from where.
#[derive(Clone, Copy)]
enum Who {
    /// On a desktop computer in Germany.
    Desktop(i64),
    /// On a phone in France.
    Phone(i64),
    /// On a tablet in the United States.
    Tablet(i64),
}

fn client(who: Who) -> (VisitorId, Client) {
    let (id, device, browser, os, country) = match who {
        Who::Desktop(id) => (id, Device::Desktop, "Chrome", "Windows", "DE"),
        Who::Phone(id) => (id, Device::Mobile, "Safari", "iOS", "FR"),
        Who::Tablet(id) => (id, Device::Tablet, "Chrome", "Android", "US"),
    };
    let client = Client {
        device,
        browser: Some(browser.to_owned()),
        browser_version: None,
        os: Some(os.to_owned()),
        os_version: None,
        country: Some(country.to_owned()),
        region: None,
        city: None,
        screen: None,
    };
    (VisitorId(id), client)
}

fn direct() -> Origin {
    Origin::default()
}

fn from(host: &str) -> Origin {
    Origin {
        referrer_host: Some(host.to_owned()),
        ..Origin::default()
    }
}

fn tagged(source: &str, medium: &str, campaign: &str) -> Origin {
    Origin {
        source: Some(source.to_owned()),
        medium: Some(medium.to_owned()),
        campaign: Some(campaign.to_owned()),
        ..Origin::default()
    }
}

/// A signup that says who signed up, and for how many.
fn signup(user: &str, seats: Option<f64>) -> Action {
    let user = ("user".to_owned(), PropertyValue::Text(user.to_owned()));
    let seats = seats.map(|seats| ("seats".to_owned(), PropertyValue::Number(seats)));
    Action::Custom {
        name: "signup".to_owned(),
        properties: std::iter::once(user).chain(seats).collect(),
        commerce: None,
    }
}

fn commerce(
    name: &str,
    step: CommerceStep,
    order_id: Option<&str>,
    cents: Option<i64>,
    currency: Option<&str>,
) -> Action {
    Action::Custom {
        name: name.to_owned(),
        properties: Vec::new(),
        commerce: Some(Commerce {
            step,
            order_id: order_id.map(str::to_owned),
            value_cents: cents,
            currency: currency.map(str::to_owned),
            items: Vec::new(),
        }),
    }
}

/// The same with products: id, name, price in hundredths, quantity.
fn with_items(action: Action, items: &[(&str, Option<&str>, i64, u32)]) -> Action {
    let item = |(id, name, price_cents, quantity): &(&str, Option<&str>, i64, u32)| CommerceItem {
        id: (*id).to_owned(),
        name: name.map(str::to_owned),
        category: None,
        brand: None,
        variant: None,
        price_cents: Some(*price_cents),
        quantity: *quantity,
    };
    match action {
        Action::Custom {
            name,
            properties,
            commerce,
        } => Action::Custom {
            name,
            properties,
            commerce: commerce.map(|commerce| Commerce {
                items: items.iter().map(item).collect(),
                ..commerce
            }),
        },
        other => other,
    }
}

fn stay(visible_ms: u32, scroll_pct: Option<u8>) -> Action {
    Action::Engagement {
        visible_ms,
        scroll_pct,
    }
}

/// Tells of the visits of a domain.
struct Teller {
    domain: DomainId,
    beacons: Vec<Beacon<Events>>,
}

impl Teller {
    fn tell(&mut self, who: Who, at: OffsetDateTime, load: i64, path: &str, origin: Origin, action: Action) {
        let (visitor, client) = client(who);
        let number = u128::try_from(self.beacons.len()).unwrap_or_default();
        self.beacons.push(Beacon {
            id: Uuid::from_u128(number),
            domain: self.domain,
            visitor,
            received_at: at,
            client,
            content: Events(vec![Event {
                at,
                load: (load > 0).then_some(PageLoadId(load)),
                page: Page {
                    host: "shop.example".to_owned(),
                    path: path.to_owned(),
                    title: None,
                    origin,
                },
                action,
            }]),
        });
    }

    fn view(&mut self, who: Who, at: OffsetDateTime, path: &str, origin: Origin) {
        self.tell(who, at, 0, path, origin, Action::PageView);
    }
}

/// The beacons of the log, in the order in which they arrive.
#[must_use]
#[expect(clippy::too_many_lines, reason = "it is a log, to be read from its beginning")]
pub fn beacons(domain: DomainId) -> Vec<Beacon<Events>> {
    use Who::{Desktop, Phone, Tablet};
    let mut log = Teller {
        domain,
        beacons: Vec::new(),
    };
    let google = || from("google.com");

    // 30 March. Session 1: half an hour to the second after the last sign of life, and it goes on: 35 min 40 s.
    log.view(Desktop(1), datetime!(2026-03-30 10:00 UTC), "/", google());
    log.tell(
        Desktop(1),
        datetime!(2026-03-30 10:00:30 UTC),
        1,
        "/",
        google(),
        stay(20_000, Some(50)),
    );
    log.view(Desktop(1), datetime!(2026-03-30 10:05 UTC), "/a", direct());
    log.tell(
        Desktop(1),
        datetime!(2026-03-30 10:05:40 UTC),
        2,
        "/a",
        direct(),
        stay(30_000, Some(80)),
    );
    log.view(Desktop(1), datetime!(2026-03-30 10:35:40 UTC), "/b", direct());
    // 2 and 3: a millisecond more, and it is another. Both bounce.
    log.view(Phone(2), datetime!(2026-03-30 11:00 UTC), "/", direct());
    log.view(Phone(2), datetime!(2026-03-30 11:30:00.001 UTC), "/a", direct());
    // 4: an event keeps it from bouncing. A minute.
    log.view(Desktop(3), datetime!(2026-03-30 12:00 UTC), "/", direct());
    log.tell(
        Desktop(3),
        datetime!(2026-03-30 12:01 UTC),
        0,
        "/",
        direct(),
        signup("ada", Some(2.0)),
    );
    // 5 and 6: midnight ends a session. Both bounce, and the second is direct.
    let spring = tagged("google", "cpc", "spring");
    log.view(Phone(4), datetime!(2026-03-30 23:50 UTC), "/a", spring);
    log.view(Phone(4), datetime!(2026-03-31 00:10 UTC), "/b", direct());

    // 31 March. 7 and 8: a download and a link to another host keep sessions from bouncing. 1 minute; 10 minutes.
    log.view(
        Desktop(5),
        datetime!(2026-03-31 09:00 UTC),
        "/a",
        from("facebook.com"),
    );
    let pdf = Action::Download {
        url: "https://shop.example/f.pdf".to_owned(),
    };
    log.tell(
        Desktop(5),
        datetime!(2026-03-31 09:01 UTC),
        0,
        "/a",
        direct(),
        pdf,
    );
    log.view(Tablet(6), datetime!(2026-03-31 10:00 UTC), "/", direct());
    let link = Action::Outbound {
        url: "https://other.example/".to_owned(),
    };
    log.tell(Tablet(6), datetime!(2026-03-31 10:10 UTC), 0, "/", direct(), link);
    // 9: an order of 100.00, which is told twice. 6 minutes.
    let buyer = Desktop(7);
    log.view(buyer, datetime!(2026-03-31 11:00 UTC), "/shop", direct());
    let pot = |quantity| ("P1", Some("Pot"), 4_000, quantity);
    let view_item = commerce("view_item", CommerceStep::View, None, None, None);
    let view_item = with_items(view_item, &[("P1", None, 4_000, 1)]);
    log.tell(
        buyer,
        datetime!(2026-03-31 11:02 UTC),
        0,
        "/shop",
        direct(),
        view_item,
    );
    let cart = commerce("add_to_cart", CommerceStep::AddToCart, None, None, None);
    let cart = with_items(cart, &[pot(2)]);
    log.tell(buyer, datetime!(2026-03-31 11:03 UTC), 0, "/shop", direct(), cart);
    let checkout = commerce("begin_checkout", CommerceStep::Checkout, None, None, None);
    log.tell(
        buyer,
        datetime!(2026-03-31 11:04 UTC),
        0,
        "/shop",
        direct(),
        checkout,
    );
    let order = || {
        let order = commerce("purchase", CommerceStep::Purchase, Some("T1"), Some(10_000), None);
        with_items(order, &[pot(2), ("P2", Some("Lid"), 2_000, 1)])
    };
    log.tell(
        buyer,
        datetime!(2026-03-31 11:05 UTC),
        0,
        "/shop",
        direct(),
        order(),
    );
    log.tell(
        buyer,
        datetime!(2026-03-31 11:06 UTC),
        0,
        "/shop",
        direct(),
        order(),
    );
    // 10: what comes late is its beginning, and says where it came from. 20 minutes.
    log.view(Phone(8), datetime!(2026-03-31 12:00 UTC), "/", google());
    let newsletter = tagged("newsletter", "email", "march");
    log.view(Phone(8), datetime!(2026-03-31 11:40 UTC), "/landing", newsletter);
    // No session: only the word that a page was open.
    log.tell(
        Desktop(9),
        datetime!(2026-03-31 13:00 UTC),
        9,
        "/a",
        direct(),
        stay(10_000, Some(40)),
    );

    // 1 April. 11 and 12: what comes late belongs to the one before, and joins no two. 25 minutes; bounces.
    log.view(Desktop(10), datetime!(2026-04-01 08:00 UTC), "/", direct());
    log.view(Desktop(10), datetime!(2026-04-01 08:50 UTC), "/b", direct());
    log.view(Desktop(10), datetime!(2026-04-01 08:25 UTC), "/a", direct());
    // 13: a page load tells of itself twice. 20 seconds, and it bounces.
    log.view(Phone(11), datetime!(2026-04-01 09:00 UTC), "/", from("t.co"));
    log.tell(
        Phone(11),
        datetime!(2026-04-01 09:00:10 UTC),
        11,
        "/",
        direct(),
        stay(5_000, None),
    );
    log.tell(
        Phone(11),
        datetime!(2026-04-01 09:00:20 UTC),
        11,
        "/",
        direct(),
        stay(7_000, Some(30)),
    );
    // 14 and 15: an event opens a session without an entry, from where its page load came. The first bounces.
    log.view(Desktop(12), datetime!(2026-04-01 10:00 UTC), "/a", google());
    log.tell(
        Desktop(12),
        datetime!(2026-04-01 10:45 UTC),
        0,
        "/a",
        google(),
        signup("bob", Some(5.0)),
    );
    // 16: a server tells of a refund of the whole order, of an order in dollars, and of two without ids. 3 minutes.
    let server = Desktop(13);
    let refund = commerce("refund", CommerceStep::Refund, Some("T1"), None, None);
    log.tell(
        server,
        datetime!(2026-04-01 12:00 UTC),
        0,
        "/shop",
        direct(),
        refund,
    );
    let dollars = commerce(
        "purchase",
        CommerceStep::Purchase,
        Some("T2"),
        Some(5_000),
        Some("USD"),
    );
    let dollars = with_items(dollars, &[("P1", None, 5_000, 1)]);
    log.tell(
        server,
        datetime!(2026-04-01 12:01 UTC),
        0,
        "/shop",
        direct(),
        dollars,
    );
    let nameless = || commerce("purchase", CommerceStep::Purchase, None, Some(2_050), None);
    log.tell(
        server,
        datetime!(2026-04-01 12:02 UTC),
        0,
        "/shop",
        direct(),
        nameless(),
    );
    log.tell(
        server,
        datetime!(2026-04-01 12:03 UTC),
        0,
        "/shop",
        direct(),
        nameless(),
    );

    // 2 April: nothing. 3 April. 17: 20 min 30 s.
    log.view(Desktop(14), datetime!(2026-04-03 11:20 UTC), "/", direct());
    log.view(Desktop(14), datetime!(2026-04-03 11:40 UTC), "/a", direct());
    log.tell(
        Desktop(14),
        datetime!(2026-04-03 11:40:30 UTC),
        0,
        "/a",
        direct(),
        signup("ada", None),
    );
    // 18: a search keeps no session from bouncing. 5 seconds.
    log.view(Phone(15), datetime!(2026-04-03 11:59:50 UTC), "/", google());
    let search = Action::Search {
        term: Some("shoes".to_owned()),
        results: Some(0),
    };
    log.tell(
        Phone(15),
        datetime!(2026-04-03 11:59:55 UTC),
        0,
        "/",
        direct(),
        search,
    );
    // 19: the visitor of session 1, who is another one today. It bounces.
    log.view(Desktop(1), datetime!(2026-04-03 12:00:10 UTC), "/b", direct());
    log.beacons
}
