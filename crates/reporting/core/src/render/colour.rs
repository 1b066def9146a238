//! Colours that can be read on white, by the contrast of WCAG 2.2: a colour of the customer stays, and what is written in it is
//! as much darker as it has to be.

/// The contrast that text needs (1.4.3).
pub(super) const OF_TEXT: f64 = 4.5;
/// The contrast that the lines and areas of pictures need (1.4.11).
pub(super) const OF_SHAPES: f64 = 3.0;
/// How many shades there are from a colour to black.
const SHADES: u32 = 255;

/// The colour, `#rrggbb`, in its lightest shade that has this contrast with white: where it has it, the colour itself.
#[must_use]
pub(super) fn readable(colour: &str, contrast: f64) -> String {
    // Black has the most contrast that there is.
    let colour = channels(colour).unwrap_or_default();
    let mut shades = (0..=SHADES).rev().map(|share| shade(colour, share));
    let [red, green, blue] = shades
        .find(|shade| contrast_with_white(*shade) >= contrast)
        .unwrap_or_default();
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Red, green and blue.
fn channels(colour: &str) -> Option<[u8; 3]> {
    let digits = colour.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let channel = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    Some([channel(0)?, channel(2)?, channel(4)?])
}

/// So much of each channel: all keep their proportions, so that the hue stays.
fn shade(colour: [u8; 3], share: u32) -> [u8; 3] {
    colour.map(|channel| u8::try_from(u32::from(channel) * share / SHADES).unwrap_or(channel))
}

/// From 1, for white itself, to 21, for black.
fn contrast_with_white(colour: [u8; 3]) -> f64 {
    1.05 / (luminance(colour) + 0.05)
}

/// The relative luminance, as WCAG defines it for sRGB.
fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(|channel| {
        let part = f64::from(channel) / 255.0;
        if part <= 0.040_45 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black and white are those of the definition; #767676 is known as the lightest grey that text on white may have.
    #[test]
    fn contrast_is_that_of_wcag() {
        for (colour, contrast) in [([0; 3], 21.0), ([255; 3], 1.0), ([0x76; 3], 4.54)] {
            let found = contrast_with_white(colour);
            assert!((found - contrast).abs() < 0.005, "{colour:?}: {found}");
        }
    }

    #[test]
    fn a_light_colour_gets_its_lightest_shade_that_can_be_read() {
        for (colour, text, shapes) in [
            ("#ffffff", "#767676", "#949494"),
            ("#ffd400", "#8c7400", "#b09200"),
            ("#FFFF00", "#7a7a00", "#9a9a00"),
            ("#2f8f9d", "#2a818e", "#2f8f9d"),
        ] {
            assert_eq!(readable(colour, OF_TEXT), text, "{colour}");
            assert_eq!(readable(colour, OF_SHAPES), shapes, "{colour}");
        }
    }

    #[test]
    fn a_colour_that_can_be_read_stays() {
        for colour in ["#0a7f5c", "#34459f", "#000000"] {
            assert_eq!(readable(colour, OF_TEXT), colour);
        }
    }

    #[test]
    fn every_shade_has_the_contrast_that_was_asked_for() {
        for red in (0..=255).step_by(51) {
            for green in (0..=255).step_by(51) {
                for blue in (0..=255).step_by(51) {
                    let colour = format!("#{red:02x}{green:02x}{blue:02x}");
                    for wanted in [OF_TEXT, OF_SHAPES] {
                        let found = channels(&readable(&colour, wanted)).unwrap();
                        assert!(contrast_with_white(found) >= wanted, "{colour}: {found:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_colour_is_black() {
        for odd in ["", "red;}", "#fff", "#gggggg", "#日本"] {
            assert_eq!(readable(odd, OF_TEXT), "#000000", "{odd}");
        }
    }
}
