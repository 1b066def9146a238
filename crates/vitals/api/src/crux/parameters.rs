//! The parameters that several reads have.

use pharos_vitals::crux::FormFactor;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

/// How many periods an answer has where nobody says otherwise.
const PERIODS: u16 = 25;

/// The devices.
#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(crate) struct Devices {
    /// The devices; left out: all of them. `all` has tablets, too, so it is not the sum of the others.
    #[param(inline, value_type = Option<FormFactor>)]
    pub(crate) form_factor: FormFactor,
}

impl Default for Devices {
    fn default() -> Self {
        Self {
            form_factor: FormFactor::All,
        }
    }
}

/// The page.
#[derive(Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(crate) struct Page {
    /// A page that is followed; left out for the origin.
    #[param(max_length = 2_000)]
    pub(crate) url: Option<String>,
}

/// How many periods.
#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(crate) struct Periods {
    /// How many weekly periods, the last ones.
    #[param(minimum = 1, maximum = 40, default = 25)]
    pub(crate) periods: u16,
}

impl Default for Periods {
    fn default() -> Self {
        Self { periods: PERIODS }
    }
}
