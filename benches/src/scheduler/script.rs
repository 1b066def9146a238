//! How the sites behave: from a fixed seed, so the bench and its target need not tell each other.

use std::ops::Range;

use anyhow::{Context, Result};

const SEED: u64 = 0x5048_4152_4f53;

/// How many failing checks confirm an outage.
pub(super) const CONFIRMATION: u32 = 2;
/// How long a check may take at most, in seconds: Pharos's default.
pub(super) const TIMEOUT: u32 = 30;

/// How many of 100 sites are slow, never answer, have an outage, or fail too briefly for one.
const SLOW: usize = 10;
const SILENT: usize = 2;
const FAILING: usize = 1;
const BRIEF: usize = 1;

/// The shortest outage in milliseconds: longer than its confirmation takes at the longest interval.
const LONG: i64 = 125_000;

/// How a site answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// At once.
    Prompt,
    /// After two seconds.
    Slow,
    /// Never: it takes the connection and says nothing.
    Silent,
}

impl Manner {
    pub(super) const ALL: [Self; 3] = [Self::Prompt, Self::Slow, Self::Silent];
}

/// A site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Site {
    pub(super) manner: Manner,
    /// When it answers 500, in milliseconds since the counted time began.
    pub(super) failing: Option<Range<i64>>,
}

impl Site {
    /// Whether it answers 500 at a time.
    pub(super) fn fails_at(&self, at: i64) -> bool {
        self.failing.as_ref().is_some_and(|failing| failing.contains(&at))
    }

    /// Its outage: the time in which it fails, where that is long enough to be one.
    pub(super) fn outage(&self) -> Option<&Range<i64>> {
        self.failing
            .as_ref()
            .filter(|failing| failing.end - failing.start >= LONG)
    }
}

/// The behaviour of `count` sites while `minutes` are counted.
pub(super) fn sites(count: usize, minutes: u32) -> Vec<Site> {
    let mut random = fastrand::Rng::with_seed(SEED);
    let of_all = |share: usize| (count * share).div_ceil(100);
    let until = i64::from(minutes) * 60_000;
    let mut sites: Vec<Site> = (0..count)
        .map(|at| Site {
            manner: match at {
                at if at < of_all(SILENT) => Manner::Silent,
                at if at < of_all(SILENT) + of_all(SLOW) => Manner::Slow,
                _ => Manner::Prompt,
            },
            failing: None,
        })
        .collect();
    let prompt = sites.iter_mut().filter(|site| site.manner == Manner::Prompt);
    for (at, site) in prompt.take(of_all(FAILING) + of_all(BRIEF)).enumerate() {
        site.failing = Some(if at < of_all(FAILING) {
            // Long enough for the checks that confirm it, and so early that they are seen.
            let length = random.i64(LONG..185_000);
            let start = random.i64(0..until - LONG);
            start..start + length
        } else {
            // One check meets it at most: after one that fails the next comes in ten seconds.
            let length = random.i64(3_000..9_000);
            let start = random.i64(0..until - length);
            start..start + length
        });
    }
    random.shuffle(&mut sites);
    sites
}

/// The host name of a site. Names below `localhost` are never looked up (RFC 6761, section 6.3).
pub(super) fn host(number: usize) -> String {
    format!("site-{number}.bench.localhost")
}

/// All hosts, as a certificate has them.
pub(super) const HOSTS: &str = "*.bench.localhost";

/// The number of the site with that host name.
pub(super) fn number(host: &str) -> Result<usize> {
    host.strip_prefix("site-")
        .and_then(|rest| rest.split('.').next()?.parse().ok())
        .with_context(|| format!("{host} is no site"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_exact_and_the_same_each_time() {
        let all = sites(10_000, 5);
        let count = |of: fn(&Site) -> bool| all.iter().filter(|site| of(site)).count();
        assert_eq!(count(|site| site.manner == Manner::Slow), 1_000);
        assert_eq!(count(|site| site.manner == Manner::Silent), 200);
        assert_eq!(count(|site| site.outage().is_some()), 100);
        assert_eq!(count(|site| site.failing.is_some()), 200);
        assert_eq!(all, sites(10_000, 5));
    }

    #[test]
    fn an_outage_can_be_confirmed_in_time_and_a_brief_failure_never() {
        for minutes in [3, 5] {
            for site in sites(10_000, minutes) {
                let Some(failing) = &site.failing else { continue };
                assert_eq!(site.manner, Manner::Prompt);
                assert!(failing.start >= 0);
                let length = failing.end - failing.start;
                match site.outage() {
                    Some(outage) => assert!(outage.start + LONG <= i64::from(minutes) * 60_000),
                    None => assert!(length < 10_000),
                }
                assert!(site.fails_at(failing.start) && !site.fails_at(failing.end));
            }
        }
    }

    #[test]
    fn a_site_is_known_by_its_name() {
        assert_eq!(number(&host(9_999)).unwrap(), 9_999);
        assert!(number("bench.localhost").is_err());
    }
}
