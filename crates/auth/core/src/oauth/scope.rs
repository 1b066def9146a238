//! The scopes that an app asks for.

use pharos_domain::scope::{ScopeSet, Tier};

use super::error::{ErrorCode, OauthError};

/// The scopes of the parameter `scope` (RFC 6749, section 3.3): all read scopes where it is left out; those that
/// don't exist are ignored.
///
/// # Errors
/// `invalid_scope`: a character that no scope has, or none that exists.
pub fn requested(scope: Option<&str>) -> Result<ScopeSet, OauthError> {
    scope.map_or_else(|| Ok(Tier::Read.scopes()), parse)
}

/// The scopes of an access token by the parameter `scope` of a refresh (section 6): all that were granted where it is
/// left out. Those that were not are ignored, since many clients repeat what they asked for at first.
///
/// # Errors
/// `invalid_scope`: a character that no scope has, or none that was granted.
pub fn narrowed(scope: Option<&str>, granted: ScopeSet) -> Result<ScopeSet, OauthError> {
    let Some(text) = scope else {
        return Ok(granted);
    };
    let asked = parse(text)?;
    let left: ScopeSet = asked.iter().filter(|scope| granted.contains(*scope)).collect();
    if left.is_empty() {
        return Err(OauthError::new(
            ErrorCode::InvalidScope,
            "None of these scopes was granted. Ask the user anew at the authorization endpoint.",
        ));
    }
    Ok(left)
}

fn parse(text: &str) -> Result<ScopeSet, OauthError> {
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
            "None of these scopes exists here. The authorization server's metadata lists them as scopes_supported.",
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
    fn a_refresh_narrows_and_never_widens() {
        let granted = requested(Some("read:overview read:uptime")).unwrap();
        let of = |scope| narrowed(scope, granted).map(written);
        assert_eq!(of(None).unwrap(), "read:overview read:uptime");
        assert_eq!(of(Some("read:uptime")).unwrap(), "read:uptime");
        assert_eq!(
            of(Some("read:uptime write:uptime openid")).unwrap(),
            "read:uptime"
        );
        for bad in ["write:uptime", "openid", "read:\"uptime"] {
            assert_eq!(of(Some(bad)).unwrap_err().error, ErrorCode::InvalidScope, "{bad}");
        }
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
