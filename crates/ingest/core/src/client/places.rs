//! The country of an address, by a database in MaxMind's format.

use std::{net::IpAddr, path::Path};

use maxminddb::{MaxMindDbError, Reader};
use serde::Deserialize;
use time::OffsetDateTime;

/// Where an address is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// ISO 3166-1 alpha-2.
    pub country: Option<String>,
    /// ISO 3166-2.
    pub region: Option<String>,
    /// A name, in English.
    pub city: Option<String>,
}

/// A database of addresses in memory, or none.
#[derive(Debug, Default)]
pub struct Places(Option<Reader<Vec<u8>>>);

/// The file is no database of addresses, or can't be read.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct OpenError(#[from] MaxMindDbError);

/// The members of a record that matter: those of MaxMind's databases, and `country_code`, which ip-location-db has.
#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    country_code: Option<&'a str>,
    country: Option<Coded<'a>>,
    subdivisions: Option<Vec<Coded<'a>>>,
    city: Option<City<'a>>,
}

#[derive(Deserialize)]
struct Coded<'a> {
    iso_code: Option<&'a str>,
}

#[derive(Deserialize)]
struct City<'a> {
    #[serde(borrow)]
    names: Option<Names<'a>>,
}

#[derive(Deserialize)]
struct Names<'a> {
    en: Option<&'a str>,
}

impl Places {
    /// Reads a database into memory.
    ///
    /// # Errors
    /// The file can't be read, or is none.
    pub fn open(file: &Path) -> Result<Self, OpenError> {
        Ok(Self(Some(Reader::open_readfile(file)?)))
    }

    /// When the database was built.
    #[must_use]
    pub fn built_at(&self) -> Option<OffsetDateTime> {
        let built = self.0.as_ref()?.metadata().build_time().ok()?;
        Some(OffsetDateTime::from(built))
    }

    /// Whether there is a database.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.0.is_some()
    }

    /// Where an address is, as far as the database knows.
    #[must_use]
    pub fn find(&self, address: IpAddr) -> Place {
        self.look_up(address).unwrap_or_default()
    }

    fn look_up(&self, address: IpAddr) -> Option<Place> {
        let found = self.0.as_ref()?.lookup(address).ok()?;
        let record: Record<'_> = found.decode().ok()??;
        let of_country = record.country.and_then(|country| country.iso_code);
        let country = country_code(of_country.or(record.country_code)?)?;
        let part = record
            .subdivisions
            .and_then(|parts| parts.first()?.iso_code.map(str::to_owned));
        Some(Place {
            region: part.map(|part| format!("{country}-{part}")),
            city: record.city.and_then(|city| city.names?.en.map(str::to_owned)),
            country: Some(country),
        })
    }
}

/// A country's code in capitals, as headers of proxies and databases have it; `None` for what stands for no country there:
/// `XX`, and `T1` for Tor.
#[must_use]
pub(crate) fn country_code(text: &str) -> Option<String> {
    let code = text.trim().to_ascii_uppercase();
    let is_code = code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase()) && code != "XX";
    is_code.then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_countries_are_two_capitals() {
        assert_eq!(country_code(" de").as_deref(), Some("DE"));
        for none in ["", "XX", "T1", "DEU", "ü"] {
            assert_eq!(country_code(none), None, "{none}");
        }
    }

    #[test]
    fn without_a_database_places_are_unknown() {
        let places = Places::default();
        assert_eq!(places.find("203.0.113.7".parse().unwrap()), Place::default());
        assert_eq!(places.built_at(), None);
        assert!(Places::open(Path::new("Cargo.toml")).is_err());
    }
}
