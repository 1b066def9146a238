//! Beacons from the browsers of visitors: the words of collection, and the ports behind which modules store them.
//!
//! Collection takes beacons, checks them, computes who sent them, and hands them on in batches. It knows no sessions and no
//! percentiles; the modules know no requests.

pub mod client;
pub mod event;
pub mod site;
pub mod tag;
pub mod view;

use std::borrow::Cow;

use async_trait::async_trait;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{collect::client::Client, hex::hex, ids::DomainId, store::StoreError};

/// How long the ids of beacons are kept, so that one which is sent again counts once.
pub const BEACONS_KEPT: Duration = Duration::hours(48);

/// The oldest that something may be when it arrives. A beacon that claims to be older counts at its receipt.
pub const OLDEST: Duration = Duration::HOUR;

/// How many bytes of the path and query of a page are kept. Whoever names a longer one means the page with this beginning.
pub const LONGEST_PATH: usize = 1_024;

/// As much of the path and query of a page as is kept.
#[must_use]
pub fn kept_path(path: &str) -> &str {
    &path[..path.floor_char_boundary(LONGEST_PATH)]
}

/// A pattern of paths, as somebody wrote it, in the form that paths of pages have: browsers encode spaces and whatever is not ASCII.
#[must_use]
pub fn path_pattern(written: &str) -> Cow<'_, str> {
    let stays = |byte: u8| byte.is_ascii() && byte != b' ';
    if written.bytes().all(stays) {
        return Cow::Borrowed(written);
    }
    let mut pattern = String::with_capacity(3 * written.len());
    for byte in written.bytes() {
        if stays(byte) {
            pattern.push(char::from(byte));
        } else {
            pattern.push('%');
            pattern.push_str(&hex(&[byte]).to_ascii_uppercase());
        }
    }
    Cow::Owned(pattern)
}

/// A visitor of one site on one UTC day: an HMAC under that day's salt. On another day the same person is another visitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VisitorId(pub i64);

/// One page load, or a route of a single-page app that counts as one: random, chosen by the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PageLoadId(pub i64);

/// A beacon that was accepted, with whose it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Beacon<T> {
    /// Its id, chosen by the sender. One that was stored before is dropped.
    pub id: Uuid,
    /// The site.
    pub domain: DomainId,
    /// Whose browser, or program, sent it.
    pub visitor: VisitorId,
    /// When it arrived, by the database's clock.
    pub received_at: OffsetDateTime,
    /// The browser, the device and the country.
    pub client: Client,
    /// The content.
    pub content: T,
}

/// Stores what beacons of one kind say, and knows which sites want that.
#[async_trait]
pub trait BeaconStore<T>: Send + Sync {
    /// The settings of collection on the site; `None` where the module is not switched on for it.
    async fn settings(&self, domain: DomainId) -> Result<Option<site::CollectionSettings>, StoreError>;

    /// Stores the beacons durably, each once: ids that were stored within [`BEACONS_KEPT`] are passed over. All of the
    /// batch or nothing of it is stored when this fails; a beacon that can't be stored is set aside, and the others are stored.
    async fn store(&self, batch: &[Beacon<T>]) -> Result<(), StoreError>;
}
