//! Where and on what people searched.

pub use pharos_domain::country::{Country, NoCountry};

use super::figures::Device;

/// Where and on what people searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The country; `None`: unknown.
    pub country: Option<Country>,
    /// The device; `None`: the upstream does not tell.
    pub device: Option<Device>,
}
