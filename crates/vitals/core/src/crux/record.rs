//! The subject of a record, and the record itself.

use serde::{Deserialize, Serialize};

use super::{
    FormFactor, Scope,
    figures::{Figures, Period},
};

/// The origin or the page whose field data is asked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// All pages of an origin, such as `https://shop.example`.
    Origin(String),
    /// One page, by its whole URL.
    Url(String),
}

impl Subject {
    /// Whether it is an origin or a page.
    #[must_use]
    pub const fn scope(&self) -> Scope {
        match self {
            Self::Origin(_) => Scope::Origin,
            Self::Url(_) => Scope::Url,
        }
    }
}

/// Figures of one subject and form factor for one collection period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The subject that answered.
    pub subject: Subject,
    /// The URL that the API made out of the one that was requested, where that is another.
    pub url_normalized: Option<String>,
    /// The devices.
    pub form_factor: FormFactor,
    /// The days that it is about.
    pub period: Period,
    /// The figures.
    pub figures: Figures,
}
