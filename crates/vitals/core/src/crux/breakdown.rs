//! Where the time of the Largest Contentful Paint of images goes.

use super::figures::{LcpImage, LcpSubpart};

/// The parts as shares of their sum, in percent with two decimals. `None`: a part is missing, or all of them are 0.
#[must_use]
pub fn shares(image: &LcpImage) -> Option<[f64; 4]> {
    let mut parts = [0.0; 4];
    for (place, (_, value)) in parts.iter_mut().zip(image.parts()) {
        *place = value?;
    }
    let sum: f64 = parts.iter().sum();
    (sum > 0.0).then(|| parts.map(|part| super::pct(part / sum)))
}

/// The largest part; the first of several. `None`: nothing is known of any, or all of them are 0.
#[must_use]
pub fn dominant(image: &LcpImage) -> Option<LcpSubpart> {
    let known = image
        .parts()
        .into_iter()
        .filter_map(|(part, value)| Some((part, value?)));
    let largest = known.reduce(|first, next| if next.1 > first.1 { next } else { first });
    largest.filter(|(_, value)| *value > 0.0).map(|(part, _)| part)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by hand: 400, 100, 300 and 200 of 1,000.
    #[test]
    fn shares_are_of_the_four_parts_sum() {
        let image = LcpImage {
            ttfb_ms: Some(400.0),
            resource_load_delay_ms: Some(100.0),
            resource_load_duration_ms: Some(300.0),
            element_render_delay_ms: Some(200.0),
        };
        assert_eq!(shares(&image), Some([40.0, 10.0, 30.0, 20.0]));
        assert_eq!(dominant(&image), Some(LcpSubpart::Ttfb));
    }

    #[test]
    fn a_part_that_is_missing_leaves_no_shares_but_a_largest_one() {
        let image = LcpImage {
            ttfb_ms: None,
            resource_load_delay_ms: Some(100.0),
            resource_load_duration_ms: Some(100.0),
            element_render_delay_ms: Some(20.0),
        };
        assert_eq!(shares(&image), None);
        assert_eq!(dominant(&image), Some(LcpSubpart::ResourceLoadDelay));
        let zero = LcpImage {
            ttfb_ms: Some(0.0),
            resource_load_delay_ms: Some(0.0),
            resource_load_duration_ms: Some(0.0),
            element_render_delay_ms: Some(0.0),
        };
        assert_eq!((shares(&zero), dominant(&zero)), (None, None));
        assert_eq!(dominant(&LcpImage::default()), None);
    }
}
