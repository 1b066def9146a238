//! Beacons, each of another visitor.

use std::net::Ipv4Addr;

use fastrand::Rng;
use serde_json::json;
use uuid::Uuid;

/// How many pages the site has.
pub(super) const PAGES: usize = 100;
const SEED: u64 = 21;
/// The first address of a network that is nobody's.
const FIRST_ADDRESS: u32 = 0x0a00_0001;
const BROWSER: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 \
                       Safari/537.36";

/// Makes beacons of a site, no two of them alike.
pub(crate) struct Maker {
    site: usize,
    key: String,
    rng: Rng,
    made: u32,
}

impl Maker {
    /// Makes beacons of the site with that number and key.
    pub(super) fn new(site: usize, key: String) -> Self {
        Self {
            site,
            key,
            rng: Rng::with_seed(SEED),
            made: 0,
        }
    }

    /// One of several for the first site, whose beacons are like those of no other: of the first million.
    pub(crate) fn numbered(key: String, number: u32) -> Self {
        Self {
            site: 0,
            key,
            rng: Rng::with_seed(SEED + u64::from(number)),
            made: number << 20,
        }
    }

    /// The next beacon, with one page view: its id and its request.
    pub(crate) fn next_beacon(&mut self) -> (Uuid, Vec<u8>) {
        let page = self.rng.usize(0..PAGES);
        self.made_of(&[page])
    }

    /// Requests, whole, of beacons with so many page views each.
    pub(super) fn requests(&mut self, many: usize, views: usize) -> Vec<Vec<u8>> {
        (0..many)
            .map(|_| {
                let pages: Vec<usize> = (0..views).map(|_| self.rng.usize(0..PAGES)).collect();
                self.request(&pages)
            })
            .collect()
    }

    /// Requests that view every page.
    pub(super) fn all_pages(&mut self) -> Vec<Vec<u8>> {
        let pages: Vec<usize> = (0..PAGES).collect();
        pages.chunks(20).map(|pages| self.request(pages)).collect()
    }

    fn request(&mut self, pages: &[usize]) -> Vec<u8> {
        self.made_of(pages).1
    }

    /// A view a second, the last of them just now.
    fn made_of(&mut self, pages: &[usize]) -> (Uuid, Vec<u8>) {
        let id = Uuid::from_u128(self.rng.u128(..));
        let events: Vec<_> = (0..pages.len())
            .rev()
            .zip(pages)
            .map(|(ago, page)| {
                let url = format!("https://site-{}.example/page-{page}", self.site);
                json!({ "type": "pageview", "age_ms": ago * 1_000, "url": url })
            })
            .collect();
        let body = json!({
            "site": self.key,
            "beacon": id,
            "load": format!("{:016x}", self.rng.u64(..)),
            "events": events,
        })
        .to_string();
        let address = Ipv4Addr::from(FIRST_ADDRESS + self.made);
        self.made += 1;
        let request = format!(
            "POST /collect/events HTTP/1.1\r\nhost: localhost\r\nuser-agent: {BROWSER}\r\nx-forwarded-for: {address}\r\n\
             content-type: text/plain\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        (id, request.into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_beacons_are_alike() {
        let mut maker = Maker::new(3, "pst_0123456789012345678901".to_owned());
        let texts: Vec<String> = maker
            .requests(2, 20)
            .into_iter()
            .map(|request| String::from_utf8(request).unwrap())
            .collect();
        assert_ne!(texts[0], texts[1]);
        assert!(texts[0].contains("x-forwarded-for: 10.0.0.1\r\n"), "{}", texts[0]);
        assert!(texts[1].contains("x-forwarded-for: 10.0.0.2\r\n"), "{}", texts[1]);
        assert_eq!(texts[0].matches("pageview").count(), 20);
        assert_eq!(texts[0].matches("https://site-3.example/page-").count(), 20);
        assert_eq!(maker.all_pages().len(), 5);
    }
}
