//! The header `traceparent` (W3C Trace Context), by which a proxy tells of the trace that a request belongs to.

/// The span that a request was sent from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parent {
    pub(crate) trace: u128,
    pub(crate) span: u64,
    pub(crate) is_sampled: bool,
}

impl Parent {
    /// Reads the header; `None` where it is none, and then there is no parent.
    pub(crate) fn parse(header: &str) -> Option<Self> {
        let mut parts = header.split('-');
        let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        // A later version may have more behind the flags; this one has not, and there is no version ff.
        let has_more = parts.next().is_some();
        let version = u8::try_from(hex(version, 2)?).ok()?;
        if version == 0xff || (version == 0 && has_more) {
            return None;
        }
        let parent = Self {
            trace: hex(trace, 32)?,
            span: u64::try_from(hex(span, 16)?).ok()?,
            is_sampled: hex(flags, 2)? & 1 == 1,
        };
        (parent.trace != 0 && parent.span != 0).then_some(parent)
    }
}

/// So many digits, in small letters as the standard wants them.
fn hex(text: &str, digits: usize) -> Option<u128> {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (text.len() == digits && text.bytes().all(is_digit))
        .then(|| u128::from_str_radix(text, 16).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: u128 = 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736;

    /// The example of the standard.
    #[test]
    fn the_header_names_trace_span_and_whether_it_is_sampled() {
        let sampled = Parent {
            trace: TRACE,
            span: 0x00f0_67aa_0ba9_02b7,
            is_sampled: true,
        };
        let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert_eq!(Parent::parse(header), Some(sampled));
        let unsampled = header.replace("b7-01", "b7-00");
        assert_eq!(
            Parent::parse(&unsampled),
            Some(Parent {
                is_sampled: false,
                ..sampled
            })
        );
        let later = header.replacen("00-", "01-", 1) + "-what-comes-later";
        assert_eq!(Parent::parse(&later), Some(sampled));
    }

    #[test]
    fn whatever_is_no_header_is_no_parent() {
        for wrong in [
            "",
            "00",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e47360-00f067aa0ba902b7-01",
        ] {
            assert_eq!(Parent::parse(wrong), None, "{wrong}");
        }
    }
}
