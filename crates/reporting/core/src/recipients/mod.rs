//! Recipients: people whom the reports of a template are mailed to, once they said that they want them.

pub mod bounds;
pub mod recipient;
pub mod store;
pub mod token;
