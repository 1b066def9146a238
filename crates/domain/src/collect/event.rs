//! Actions of visitors: the content of a beacon of web analytics.

use time::OffsetDateTime;

use super::PageLoadId;

/// The actions of a visitor in one beacon, in the order in which they happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Events(pub Vec<Event>);

/// One thing that a visitor did.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When it happened: the beacon's receipt less the age that the sender gave, at most [`OLDEST`](super::OLDEST) before it.
    pub at: OffsetDateTime,
    /// The page load within which it happened; `None` for what a server sent.
    pub load: Option<PageLoadId>,
    /// The page that it happened on.
    pub page: Page,
    /// The action.
    pub action: Action,
}

/// The page on which something happened.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Page {
    /// The host, in lower case.
    pub host: String,
    /// The path, and of the query what the site's settings leave: search terms, tags and click ids are taken out.
    pub path: String,
    /// The title, where the site stores it.
    pub title: Option<String>,
    /// Where its load came from.
    pub origin: Origin,
}

/// Where a page load came from: the referrer and the tags of its address.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Origin {
    /// The referrer's host without `www.`; `None` for none, and for the site's own pages.
    pub referrer_host: Option<String>,
    /// Its path, without a query.
    pub referrer_path: Option<String>,
    /// `utm_source`, or what stands for it (`source`, `ref`).
    pub source: Option<String>,
    /// `utm_medium`.
    pub medium: Option<String>,
    /// `utm_campaign`.
    pub campaign: Option<String>,
    /// `utm_term`.
    pub term: Option<String>,
    /// `utm_content`.
    pub content: Option<String>,
    /// Which advertiser's click id the address carried; the id itself is not kept.
    pub click_id: Option<ClickId>,
}

/// An advertiser's mark in an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClickId {
    /// `gclid`, `gbraid`, `wbraid`.
    Google,
    /// `msclkid`.
    Bing,
    /// `fbclid`.
    Facebook,
    /// Any other that is known.
    Other,
}

/// An action of a visitor.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Saw a page.
    PageView,
    /// The visitor was on a page: the engagement since the last report of it.
    Engagement {
        /// How long the page was visible and in use, in milliseconds.
        visible_ms: u32,
        /// How far down the page was seen, in percent of its height; the deepest so far.
        scroll_pct: Option<u8>,
    },
    /// Something of the site's own, or of ecommerce.
    Custom {
        /// The name that the site gave it.
        name: String,
        /// Its properties, in the order given.
        properties: Vec<(String, PropertyValue)>,
        /// Its goods, where the name is one of ecommerce: sold, refunded or offered.
        commerce: Option<Commerce>,
    },
    /// Followed a link to another host.
    Outbound {
        /// The address, without query and fragment.
        url: String,
    },
    /// Followed a link to a file.
    Download {
        /// The address, without query and fragment.
        url: String,
    },
    /// Searched the site.
    Search {
        /// The term, trimmed; `None` where the site does not store terms.
        term: Option<String>,
        /// How many results were shown, where the page said so.
        results: Option<u32>,
    },
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyValue {
    /// A text.
    Text(String),
    /// A finite number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
}

/// The goods and amounts of an event of ecommerce, by the names of GA4.
#[derive(Clone, Debug, PartialEq)]
pub struct Commerce {
    /// Which event it is.
    pub step: CommerceStep,
    /// `transaction_id`; orders of one id count once.
    pub order_id: Option<String>,
    /// `value` in hundredths of the currency's unit; never negative.
    pub value_cents: Option<i64>,
    /// `currency`, ISO 4217; `None` means the site's own.
    pub currency: Option<String>,
    /// `items`.
    pub items: Vec<CommerceItem>,
}

/// The steps of a sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommerceStep {
    /// `view_item`.
    View,
    /// `add_to_cart`.
    AddToCart,
    /// `begin_checkout`.
    Checkout,
    /// `purchase`.
    Purchase,
    /// `refund`.
    Refund,
}

/// One product of an event of ecommerce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommerceItem {
    /// `item_id`.
    pub id: String,
    /// `item_name`.
    pub name: Option<String>,
    /// `item_category`.
    pub category: Option<String>,
    /// `item_brand`.
    pub brand: Option<String>,
    /// `item_variant`.
    pub variant: Option<String>,
    /// `price` in hundredths of the currency's unit.
    pub price_cents: Option<i64>,
    /// `quantity`.
    pub quantity: u32,
}
