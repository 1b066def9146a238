//! The engagement of visitors: their behaviour on views, and how it goes with speed.

pub(super) mod correlation;
pub(super) mod view;

/// Milliseconds as seconds, with one decimal.
fn seconds(milliseconds: f64) -> f64 {
    (milliseconds / 100.0).round() / 10.0
}
