//! TLS certificates: what checks see of them, and what that means.
//!
//! A check records facts ([`Sighting`]); what follows from them and the time of day is computed when somebody asks
//! ([`verdict`]).

pub mod chain;
pub mod changes;
#[cfg(test)]
mod fixture;
mod hsts;
mod key;
mod leaf;
mod session;
mod sighting;
mod signature;
pub mod store;
pub mod verdict;

pub use self::chain::ChainCertificate;
pub use self::hsts::Hsts;
pub use self::key::{Key, KeyAlgorithm};
pub use self::leaf::{Certificate, NAMES};
pub use self::session::{Alpn, TlsProtocol, TlsSession};
pub use self::sighting::{Encounter, Presented, Sighting};
pub use self::signature::Signature;
