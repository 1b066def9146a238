//! Pictures of a result, which come as `data:` URLs.

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;

/// The largest picture that is kept, in bytes.
const LARGEST: usize = 8 * 1024 * 1024;

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The bytes of the file.
    pub content: Bytes,
    /// The end of its file's name.
    pub extension: &'static str,
    /// Its width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}

/// The pictures of a load.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Images {
    /// The frames, each with when it was, in milliseconds.
    pub frames: Vec<(u64, Image)>,
    /// The page in the end.
    pub last: Option<Image>,
    /// All of it.
    pub full: Option<Image>,
}

/// The picture of a `data:` URL. `size` is for formats that are not read here; `None`: it is no picture of a known kind, or too
/// large.
#[must_use]
pub fn of_url(url: &str, size: Option<(u32, u32)>) -> Option<Image> {
    let (head, text) = url.strip_prefix("data:image/")?.split_once(";base64,")?;
    if text.len() / 4 * 3 > LARGEST {
        return None;
    }
    let content = BASE64_STANDARD.decode(text).ok()?;
    let (extension, (width, height)) = match head {
        "jpeg" => ("jpg", jpeg_size(&content)?),
        "webp" => ("webp", size?),
        _ => return None,
    };
    Some(Image {
        content: content.into(),
        extension,
        width,
        height,
    })
}

/// The size that a JPEG says it has (ITU-T T.81, B.2.2): the segments before the frame's are passed over.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.strip_prefix(&[0xff, 0xd8])?;
    loop {
        let [0xff, marker, high, low, tail @ ..] = rest else {
            return None;
        };
        // All that begin a frame, but not those of tables and of arithmetic coding that lie among them.
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let [_, h1, h0, w1, w0, ..] = tail else {
                return None;
            };
            let number = |high, low| u32::from(u16::from_be_bytes([high, low]));
            return Some((number(*w1, *w0), number(*h1, *h0)));
        }
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        rest = tail.get(length.checked_sub(2)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by hand: a comment, then the head of a frame of 412 × 823.
    const JPEG: [u8; 20] = [
        0xff, 0xd8, 0xff, 0xfe, 0, 4, b'h', b'i', 0xff, 0xc0, 0, 17, 8, 3, 0x37, 1, 0x9c, 3, 1, 0x22,
    ];

    #[test]
    fn a_jpeg_says_its_size() {
        assert_eq!(jpeg_size(&JPEG), Some((412, 823)));
        for cut in 0..JPEG.len() - 3 {
            assert_eq!(jpeg_size(&JPEG[..cut]), None, "{cut}");
        }
        let url = format!("data:image/jpeg;base64,{}", BASE64_STANDARD.encode(JPEG));
        let image = of_url(&url, None).unwrap();
        assert_eq!((image.width, image.height, image.extension), (412, 823, "jpg"));
    }

    #[test]
    fn what_is_no_picture_is_left_out() {
        for bad in [
            "",
            "https://shop.example/a.jpg",
            "data:image/svg+xml;base64,PHN2Zz4=",
            "data:image/jpeg;base64,§",
            "data:image/webp;base64,AAAA",
        ] {
            assert_eq!(of_url(bad, None), None, "{bad}");
        }
        assert!(of_url("data:image/webp;base64,AAAA", Some((1, 2))).is_some());
    }
}
