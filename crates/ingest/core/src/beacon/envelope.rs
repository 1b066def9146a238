//! The members that beacons of all kinds have.

use std::net::IpAddr;

use pharos_domain::{
    collect::{PageLoadId, site::SiteKey},
    settings::Faults,
};
use uuid::Uuid;

use super::Members;

/// How much of a user agent counts, in characters.
pub(crate) const MOST_OF_AGENT: usize = 512;

/// Whose beacon it is, and which.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// `site`: the site's public key. Servers name themselves by their secret instead.
    pub site: Option<SiteKey>,
    /// `beacon`: a UUID that the sender chose.
    pub beacon: Option<Uuid>,
    /// `load`: 64 bits as 16 hexadecimal digits.
    pub load: Option<PageLoadId>,
    /// `screen`: width and height in CSS pixels.
    pub screen: Option<(u16, u16)>,
    /// `client`: for whom a server speaks.
    pub client: Option<SentFor>,
}

/// The visitor for whom a server speaks. It is used to tell visitors apart, and stored nowhere.
#[derive(Clone, Default)]
pub struct SentFor {
    /// `ip`
    pub address: Option<IpAddr>,
    /// `user_agent`
    pub user_agent: Option<String>,
}

impl std::fmt::Debug for SentFor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SentFor(…)")
    }
}

impl Envelope {
    /// Reads it.
    pub fn read(members: Members<'_>, faults: &mut Faults) -> Self {
        // Whoever needs one says so where there is none: a server does without.
        let site = members
            .get("site")
            .and_then(|key| key.as_str())
            .map(|key| SiteKey(key.to_owned()));
        let beacon = members
            .get("beacon")
            .and_then(|id| Uuid::try_parse(id.as_str()?).ok());
        if beacon.is_none() {
            faults.add(
                "beacon",
                "a UUID that names this beacon, the same when it is sent again",
            );
        }
        let load = members.get("load").and_then(|load| {
            let bits = load.as_str().filter(|load| load.len() == 16);
            let bits = bits.and_then(|bits| u64::from_str_radix(bits, 16).ok());
            if bits.is_none() {
                faults.add("load", "16 hexadecimal digits");
            }
            bits.map(|bits| PageLoadId(bits.cast_signed()))
        });
        Self {
            site,
            beacon,
            load,
            screen: screen(members, faults),
            client: client(members, faults),
        }
    }
}

fn screen(members: Members<'_>, faults: &mut Faults) -> Option<(u16, u16)> {
    let value = members.get("screen")?;
    let side = |at: usize| {
        let side = value.get(at)?.as_f64()?.round();
        // Whatever is larger is no screen.
        (0.0..=65_535.0).contains(&side).then_some(side)
    };
    let sides = side(0)
        .zip(side(1))
        .filter(|_| value.as_array().is_some_and(|list| list.len() == 2));
    if sides.is_none() {
        faults.add("screen", "width and height, two numbers of 0 to 65535");
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole numbers within the bounds of u16"
    )]
    sides.map(|(width, height)| (width as u16, height as u16))
}

fn client(members: Members<'_>, faults: &mut Faults) -> Option<SentFor> {
    let client = members.object("client", faults)?;
    let mut sent_for = SentFor::default();
    faults.within("client", |faults| {
        sent_for.user_agent = client.text("user_agent", MOST_OF_AGENT, faults);
        sent_for.address = client.raw_text("ip", faults).and_then(|text| {
            let address = text.parse::<IpAddr>().ok();
            if address.is_none() {
                faults.add("ip", "an IPv4 or IPv6 address");
            }
            address.map(|address| address.to_canonical())
        });
    });
    Some(sent_for)
}
