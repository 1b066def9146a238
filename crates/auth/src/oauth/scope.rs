//! The scopes that an app asks for.

use pharos_domain::scope::{ScopeSet, Tier};

use super::error::{ErrorCode, OauthError};

/// The scopes of the parameter `scope` (RFC 6749, section 3.3): all read scopes where it is left out; those that
/// don't exist are ignored.
///
/// # Errors
/// `invalid_scope`: a character that no scope has, or none that exists.
pub fn requested(scope: Option<&str>) -> Result<ScopeSet, OauthError> {
    let Some(text) = scope else {
        return Ok(Tier::Read.scopes());
    };
    if !text
        .bytes()
        .all(|byte| matches!(byte, 0x20 | 0x21 | 0x23..=0x5b | 0x5d..=0x7e))
    {
        return Err(OauthError::new(
            ErrorCode::InvalidScope,
            "scope has a character that no scope has.",
        ));
    }
    let known: ScopeSet = text.split(' ').filter_map(|name| name.parse().ok()).collect();
    if known.is_empty() {
        return Err(OauthError::new(
            ErrorCode::InvalidScope,
            "None of these scopes exists here. The metadata lists them as scopes_supported.",
        ));
    }
    Ok(known)
}

/// Scopes as the wire has them: with spaces between.
#[must_use]
pub fn written(scopes: ScopeSet) -> String {
    let names: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_out_means_all_read_scopes() {
        assert_eq!(requested(None), Ok(Tier::Read.scopes()));
    }

    #[test]
    fn what_does_not_exist_is_ignored_as_long_as_something_is_left() {
        let scopes = requested(Some("read:uptime openid  write:uptime read:uptime")).unwrap();
        assert_eq!(written(scopes), "read:uptime write:uptime");
        for bad in [
            "openid offline_access",
            " ",
            "read:uptime\0",
            "read:\"uptime",
            "read:uptime\n",
        ] {
            assert_eq!(
                requested(Some(bad)).unwrap_err().error,
                ErrorCode::InvalidScope,
                "{bad:?}"
            );
        }
    }
}
