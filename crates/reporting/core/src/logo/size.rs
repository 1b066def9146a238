//! How many pixels a picture is wide and high, as the first of its bytes that a browser reads say. `None`: they don't.

/// That of a PNG, whose first chunk has it. The bytes are those after its signature.
pub(super) fn png(chunks: &[u8]) -> Option<(u32, u32)> {
    // The length of the chunk comes first.
    let size = chunks.get(4..)?.strip_prefix(b"IHDR")?;
    let (width, rest) = size.split_first_chunk::<4>()?;
    let height = rest.first_chunk::<4>()?;
    Some((u32::from_be_bytes(*width), u32::from_be_bytes(*height)))
}

/// That of a JPEG, whose frame has it. The bytes are those after the marker of its start.
pub(super) fn jpeg(mut bytes: &[u8]) -> Option<(u32, u32)> {
    loop {
        let (marker, rest) = match bytes {
            // Bytes that fill up stand before a marker.
            [0xff, rest @ ..] if rest.first() == Some(&0xff) => {
                bytes = rest;
                continue;
            }
            [0xff, marker, rest @ ..] => (*marker, rest),
            _ => return None,
        };
        match marker {
            // A frame: all of SOF0 to SOF15 but those of tables (DHT, JPG, DAC).
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                // Its length and the bits of a sample come first.
                let [a, b, c, d] = *rest.get(3..)?.first_chunk::<4>()?;
                let [height, width] = [[a, b], [c, d]].map(u16::from_be_bytes);
                return Some((u32::from(width), u32::from(height)));
            }
            // A marker without a length does not stand before a frame.
            0x00..=0x01 | 0xd0..=0xda => return None,
            _ => {
                let length = u16::from_be_bytes(*rest.first_chunk::<2>()?);
                bytes = rest.get(usize::from(length.max(2))..)?;
            }
        }
    }
}

/// That of a WebP, whose first chunk has it. The bytes are those after "RIFF".
pub(super) fn webp(file: &[u8]) -> Option<(u32, u32)> {
    let (name, chunk) = file.get(4..)?.strip_prefix(b"WEBP")?.split_first_chunk::<4>()?;
    // The length of the chunk comes first.
    let data = chunk.get(4..)?;
    match name {
        // With features: three bytes of each, less one.
        b"VP8X" => {
            let size = data.get(4..)?;
            Some((little(size.get(..3)?) + 1, little(size.get(3..6)?) + 1))
        }
        // Without loss: 14 bits of each, less one.
        b"VP8L" => {
            let both = little(data.strip_prefix(b"/")?.get(..4)?);
            Some(((both & 0x3fff) + 1, ((both >> 14) & 0x3fff) + 1))
        }
        // With loss: 14 bits of two bytes of each.
        b"VP8 " => {
            let size = data.get(3..)?.strip_prefix(b"\x9d\x01\x2a")?;
            Some((little(size.get(..2)?) & 0x3fff, little(size.get(2..4)?) & 0x3fff))
        }
        _ => None,
    }
}

/// The number of up to four bytes, the least of them first.
fn little(bytes: &[u8]) -> u32 {
    let bytes = bytes.iter().rev();
    bytes.fold(0, |sum, byte| (sum << 8) | u32::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_of_a_jpeg_has_its_size() {
        let tables = b"\xff\xe0\x00\x04ab\xff\xc4\x00\x03a\xff";
        let frame = b"\xff\xc2\x00\x11\x08\x01\x02\x03\x04\x03";
        assert_eq!(jpeg(&[&tables[..], &frame[..]].concat()), Some((0x0304, 0x0102)));
        for cut in [
            &tables[..],
            &frame[..8],
            b"",
            b"\xff\xe0\xff\xff",
            b"\xff\xe0\x00\x00",
        ] {
            assert_eq!(jpeg(cut), None, "{cut:?}");
        }
        // A browser goes on right after a marker that has no length, and finds another frame.
        assert_eq!(jpeg(&[&b"\xff\xd0\x00\x02"[..], &frame[..]].concat()), None);
    }

    #[test]
    fn the_first_chunk_of_a_webp_has_its_size() {
        let chunk = |name: &[u8], size: &[u8]| [&b"1234WEBP"[..], name, b"1234", size].concat();
        assert_eq!(webp(&chunk(b"VP8X", b"flag\x01\0\0\x00\x01\0")), Some((2, 257)));
        assert_eq!(
            webp(&chunk(b"VP8L", b"/\xff\xff\xff\x0f")),
            Some((16_384, 16_384))
        );
        assert_eq!(
            webp(&chunk(b"VP8 ", b"tag\x9d\x01\x2a\x02\x41\x03\0")),
            Some((258, 3))
        );
        let cut: [(&[u8], &[u8]); 4] = [
            (b"VP8X", b"flag\x01"),
            (b"VP8L", b"x1234"),
            (b"VP8 ", b""),
            (b"ALPH", b""),
        ];
        for (name, size) in cut {
            assert_eq!(webp(&chunk(name, size)), None, "{name:?}");
        }
        assert_eq!(
            (webp(b"1234WAVEfmt "), webp(b"1234"), webp(b"")),
            (None, None, None)
        );
    }

    #[test]
    fn a_png_without_its_first_chunk_has_none() {
        assert_eq!(png(b"\0\0\0\x0dIHDR\0\0\0\x02\0\0\0"), None);
        assert_eq!(png(b"\0\0\0\x0dIDAT\0\0\0\x02\0\0\0\x01"), None);
    }
}
