//! Countries: which there are, and as a caller names one.

#[cfg(feature = "countries")]
mod known;
#[cfg(feature = "openapi")]
mod schema;

#[cfg(feature = "countries")]
pub use self::known::{Country, NoCountry};
#[cfg(feature = "openapi")]
pub use self::schema::CountryCode;

/// The format of a text that is a country. The service checks it: which pairs of letters are countries no pattern says.
pub const FORMAT: &str = "country";

/// The words for what a country should be.
pub const SHOULD: &str = "two letters of ISO 3166-1, such as US";
