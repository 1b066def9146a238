//! The bounds of what views bring of texts.

/// The text that stands for the texts of a dimension beyond [`MOST_NEW_TEXTS`].
pub const OTHER: &str = "(other)";

/// How many texts that were never seen before a site may bring to one dimension on a UTC day. All beyond are [`OTHER`], so that
/// a flood of made-up addresses grows no table without end.
pub const MOST_NEW_TEXTS: u32 = 5_000;

/// The longest text that is kept, in bytes; of a longer one the beginning is.
pub const LONGEST_TEXT: usize = 2_000;
