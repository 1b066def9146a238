//! How users sign in to the console: passwords, sessions, and the links by which a password is set.

pub mod desk;
pub mod password;
pub mod reach;
pub mod session;
pub mod store;
