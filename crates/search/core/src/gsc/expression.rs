//! Regular expressions of callers, in the syntax of RE2.

use regex::{Error, Regex, RegexBuilder};

use super::syntax::affordable;

/// How large one may be once it is compiled, in bytes.
const COMPILED: usize = 2 << 20;

/// Compiles a regular expression that takes time in proportion to the text, as RE2 does: one without look-around and without
/// back-references. It takes some milliseconds, so it is done in a turn of [`Budget::spent`](super::judging::Budget::spent).
///
/// # Errors
/// The fault in words, for whoever wrote it.
pub fn compiled(pattern: &str, ignores_case: bool) -> Result<Regex, String> {
    affordable(pattern, ignores_case)?;
    let built = RegexBuilder::new(pattern)
        .case_insensitive(ignores_case)
        .size_limit(COMPILED)
        .dfa_size_limit(COMPILED)
        .build();
    built.map_err(|error| match error {
        Error::CompiledTooBig(_) => {
            "a regular expression that repeats less: compiled, it is larger than 2 MiB".to_owned()
        }
        // The message draws the expression with a mark below it; its last line says why.
        error => {
            let text = error.to_string();
            let why = text.lines().last().unwrap_or_default();
            let why = why.strip_prefix("error: ").unwrap_or(why);
            format!(
                "a regular expression in the syntax of RE2, without look-around and back-references ({why})"
            )
        }
    })
}
