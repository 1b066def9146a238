//! Sales: an overview, by channel and by product.

pub(super) mod channels;
pub(super) mod overview;
pub(super) mod products;
