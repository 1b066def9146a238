//! Who sent a beacon: browser, device and place, as far as the request tells. The address goes no further than this.

mod agents;
mod places;

pub(crate) use self::places::country_code;
pub use self::{
    agents::{Agent, Agents, Hints},
    places::{OpenError, Place, Places},
};
