//! Deliveries: notifications on their way to people.

pub mod channel;
mod chat;
pub mod deliverer;
mod ended;
pub mod json_sender;
pub mod kind;
mod mail_text;
mod mask;
pub mod message;
pub mod notice;
mod ntfy_topic;
mod page;
pub mod places;
mod post;
pub mod quiet_hours;
pub mod send_error;
pub mod signing_secret;
pub mod step;
pub mod store;
pub mod target;
mod text;
pub mod webhook;
