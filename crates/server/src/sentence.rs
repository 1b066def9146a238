//! An error with all its causes as one sentence.

/// Joins an error and its causes. Many say their cause in their own words already; it is not told twice.
#[must_use]
pub fn sentence(error: &anyhow::Error) -> String {
    let mut told = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        if !told.ends_with(&cause) {
            told.push_str(": ");
            told.push_str(&cause);
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use std::io;

    use pharos_domain::store::StoreError;

    use super::*;

    #[test]
    fn a_cause_that_was_told_is_not_told_again() {
        let full = StoreError::Failed("no space left".into());
        let error = anyhow::Error::new(full).context("nothing was restored");
        assert_eq!(
            sentence(&error),
            "nothing was restored: the store failed: no space left"
        );
        let error = anyhow::Error::new(io::Error::other("no such folder"))
            .context("writing it")
            .context("no backup");
        assert_eq!(sentence(&error), "no backup: writing it: no such folder");
    }
}
