//! A QR code, drawn as SVG: dark on light whatever the page's colours are, since cameras want it so.

use maud::{Markup, html};
use qrcode::{Color, EcLevel, QrCode};

/// The width in modules of the light border around the code (ISO/IEC 18004).
const QUIET: usize = 4;

/// The code of a text, described in words; `None` where the text is too long for one.
pub(crate) fn qr(text: &str, description: &str) -> Option<Markup> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let width = code.width();
    let mut path = String::new();
    for (at, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            let (x, y) = (at % width + QUIET, at / width + QUIET);
            path.push_str(&format!("M{x} {y}h1v1h-1z"));
        }
    }
    let side = width + 2 * QUIET;
    Some(html! {
        svg.qr xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (side) " " (side) } role="img" aria-label=(description)
            shape-rendering="crispEdges" {
            rect width=(side) height=(side) fill="#fff" {}
            path d=(path) fill="#000" {}
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// How many pixels wide a module is where the code is shown.
    const PIXELS: usize = 4;

    /// The side of the picture and its dark modules, as its path names them.
    fn modules(svg: &str) -> (usize, BTreeSet<(usize, usize)>) {
        let between = |before: &str| svg.split_once(before).unwrap().1.split('"').next().unwrap();
        let side = between("viewBox=\"0 0 ")
            .split(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        let squares = between(" d=\"").split('z').filter(|square| !square.is_empty());
        let dark = squares.map(|square| {
            let corner = square.strip_prefix('M').unwrap().strip_suffix("h1v1h-1").unwrap();
            let (x, y) = corner.split_once(' ').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        });
        (side, dark.collect())
    }

    #[test]
    fn a_reader_finds_the_text_in_the_picture() {
        for text in [
            "a",
            "otpauth://totp/Pharos:ada%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Pharos",
        ] {
            let drawn = qr(text, "A code").unwrap().into_string();
            let (side, dark) = modules(&drawn);
            let mut seen =
                rqrr::PreparedImage::prepare_from_greyscale(side * PIXELS, side * PIXELS, |x, y| {
                    if dark.contains(&(x / PIXELS, y / PIXELS)) {
                        0
                    } else {
                        255
                    }
                });
            let grids = seen.detect_grids();
            assert_eq!(grids.len(), 1);
            assert_eq!(grids[0].decode().unwrap().1, text);
        }
        assert!(qr(&"x".repeat(5_000), "A code").is_none());
    }
}
