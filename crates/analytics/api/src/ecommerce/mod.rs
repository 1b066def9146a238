//! What was sold.

pub(super) mod channels;
pub(super) mod overview;
pub(super) mod products;
