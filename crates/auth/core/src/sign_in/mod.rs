//! How users sign in to the console: passwords, second factors, sessions, and the links by which a password is set.

pub mod desk;
pub mod factor_store;
pub mod forgotten;
pub mod link_mail;
pub mod password;
pub mod reach;
pub mod recovery_code;
mod second_factor;
pub mod session;
pub mod store;
pub mod totp;

pub use self::second_factor::SecondFactor;
