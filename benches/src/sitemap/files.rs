//! The files of a site on two days: an index, and files of 50,000 pages each. A fixed seed says what stands in them.

use std::{
    fs::{self, File},
    io::{BufWriter, Write},
    path::Path,
};

use anyhow::{Context, Result, bail};
use fastrand::Rng;
use pharos_crawl::sitemap::{monitor::site::key, read::MOST_ENTRIES};
use time::{Duration, OffsetDateTime, macros::datetime};

use crate::interrupt;

const SEED: u64 = 24;
const WORDS: [&str; 12] = [
    "lamp", "chair", "oak", "linen", "tall", "grey", "kitchen", "garden", "set", "small", "brass", "folding",
];
const SECTIONS: [&str; 6] = [
    "product",
    "shop/living",
    "shop/outdoor",
    "guide",
    "brand",
    "sale/2026",
];
const FIRST: OffsetDateTime = datetime!(2025-01-01 00:00 UTC);

/// A day whose files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Day {
    First,
    /// One page in a hundred has another date, and one in a thousand another page in its place.
    Second,
}

impl Day {
    /// The folder of its files.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

/// Which pages the files name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pages {
    pub(super) count: u64,
    /// The sum of the first 64 bits of the SHA-256 of each address: whatever order they are read in, it is the same.
    pub(super) digest: u64,
}

impl Pages {
    pub(super) fn add(&mut self, url: &str) {
        self.count += 1;
        self.digest = self.digest.wrapping_add(key(url).as_u64_pair().0);
    }
}

/// The content of a day's files, and how it differs from the day before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) pages: Pages,
    /// Pages that have another date.
    pub(super) dated: u64,
    /// Pages that another page stands in the place of.
    pub(super) replaced: u64,
    pub(super) bytes: u64,
}

/// How many files hold so many pages, the index left out.
pub(super) const fn files(urls: u64) -> u64 {
    urls.div_ceil(MOST_ENTRIES)
}

/// Writes the files of a day below `folder`: `robots.txt`, `sitemap.xml`, and `sitemaps/0.xml` and so on. `base` is the address
/// of the site, which ends in a slash.
pub(super) fn write(folder: &Path, base: &str, urls: u64, day: Day) -> Result<Written> {
    let folder = folder.join(day.name());
    fs::create_dir_all(folder.join("sitemaps"))?;
    fs::write(
        folder.join("robots.txt"),
        format!("User-agent: *\nDisallow: /cart\n\nSitemap: {base}sitemap.xml\n"),
    )?;
    let mut index = open(&folder.join("sitemap.xml"))?;
    index.write_all(br#"<?xml version="1.0" encoding="UTF-8"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">"#)?;
    for number in 0..files(urls) {
        write!(index, "<sitemap><loc>{base}sitemaps/{number}.xml</loc></sitemap>")?;
    }
    index.write_all(b"</sitemapindex>")?;
    index.flush()?;
    let mut written = Written::default();
    for number in 0..files(urls) {
        if interrupt::came() {
            bail!("interrupted");
        }
        let path = folder.join(format!("sitemaps/{number}.xml"));
        let first = number * MOST_ENTRIES;
        let pages = first..urls.min(first + MOST_ENTRIES);
        let mut file = open(&path)?;
        file.write_all(br#"<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">"#)?;
        for page in pages {
            entry(&mut file, base, page, day, &mut written)?;
        }
        file.write_all(b"</urlset>")?;
        file.flush()?;
        written.bytes += fs::metadata(&path)?.len();
    }
    Ok(written)
}

fn open(path: &Path) -> Result<BufWriter<File>> {
    let file = File::create(path).with_context(|| format!("{} can't be written", path.display()))?;
    Ok(BufWriter::with_capacity(1 << 18, file))
}

fn entry(file: &mut impl Write, base: &str, page: u64, day: Day, written: &mut Written) -> Result<()> {
    let mut rng = Rng::with_seed(SEED ^ page);
    let fate = rng.u32(0..1_000);
    let is_new = day == Day::Second && fate == 0;
    let is_dated = day == Day::Second && (1..=10).contains(&fate);
    written.replaced += u64::from(is_new);
    written.dated += u64::from(is_dated);
    let section = if is_new {
        "new"
    } else {
        rng.choice(SECTIONS).unwrap_or_default()
    };
    let (one, two) = (
        rng.choice(WORDS).unwrap_or_default(),
        rng.choice(WORDS).unwrap_or_default(),
    );
    let mut url = format!("{base}{section}/{one}-{two}-{page}.html");
    if page.is_multiple_of(5) {
        url.push_str("?view=list&page=2");
    }
    written.pages.add(&url);
    let lastmod = FIRST + Duration::seconds(i64::from(rng.u32(0..20_000_000)));
    let lastmod = if is_dated {
        lastmod + Duration::DAY
    } else {
        lastmod
    };
    let (hour, minute, second) = lastmod.to_hms();
    write!(
        file,
        "<url><loc>{}</loc><lastmod>{}T{hour:02}:{minute:02}:{second:02}Z</lastmod><changefreq>weekly</changefreq>\
         <priority>0.5</priority>",
        url.replace('&', "&amp;"),
        lastmod.date(),
    )?;
    if page.is_multiple_of(10) {
        write!(
            file,
            "<image:image><image:loc>{base}images/{page}.jpg</image:loc></image:image>"
        )?;
    }
    file.write_all(b"</url>")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_the_same_each_time_and_differs_from_the_one_before_as_it_says() {
        let folder = tempfile::tempdir().unwrap();
        let base = "http://127.0.0.1:1/";
        let days = [Day::First, Day::Second].map(|day| write(folder.path(), base, 60_000, day).unwrap());
        let again = write(folder.path(), base, 60_000, Day::Second).unwrap();
        assert_eq!(again, days[1]);
        let read = |day: &str, file: u32| {
            let path = folder.path().join(format!("{day}/sitemaps/{file}.xml"));
            let text = fs::read_to_string(path).unwrap();
            text.split("<url>").skip(1).map(str::to_owned).collect::<Vec<_>>()
        };
        let all = |day: &str| [read(day, 0), read(day, 1)].concat();
        let (first, second) = (all("first"), all("second"));
        assert_eq!((first.len(), second.len()), (60_000, 60_000));
        let differ = first.iter().zip(&second).filter(|(one, two)| one != two).count();
        assert_eq!(differ as u64, days[1].dated + days[1].replaced);
        assert!((300..900).contains(&days[1].dated) && (20..140).contains(&days[1].replaced));
        assert_eq!((days[0].dated, days[0].replaced), (0, 0));
        assert_ne!(days[0].pages.digest, days[1].pages.digest);
    }
}
