//! How the steps of a probe say what went wrong.

use pharos_egress::address_policy::{AddressFault, UrlFault};
use pharos_egress::connect::ConnectError;
use pharos_egress::exchange::Broken;
use pharos_egress::redirect::RedirectFault;
use pharos_egress::resolver::ResolveError;

use super::report::ProbeError;
use crate::error_class::ErrorClass;

impl ProbeError {
    pub(super) fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        Self {
            class,
            message: message.into(),
            is_refusal: false,
        }
    }

    /// The address policy refuses to go on.
    fn refusal(message: impl Into<String>) -> Self {
        Self {
            is_refusal: true,
            ..Self::unknown(message)
        }
    }

    /// The site itself is at an address that is not allowed. Whoever owns the check may know which.
    pub(super) fn site_refused(fault: AddressFault) -> Self {
        Self::refusal(format!(
            "The site's address {} is not allowed: only public addresses can be checked, unless the operator names their network in \
             probe_networks.",
            fault.address
        ))
    }

    /// The site's name is an alias of one whose address is not allowed.
    pub(super) fn alias_refused() -> Self {
        Self::refusal(
            "The site's name is an alias of one whose address is not allowed: only public addresses can be checked, unless the \
             operator names their network in probe_networks.",
        )
    }

    pub(super) fn unknown(message: impl Into<String>) -> Self {
        Self::new(ErrorClass::Unknown, message)
    }

    pub(super) fn read_timeout(during: &str) -> Self {
        Self::new(
            ErrorClass::ReadTimeout,
            format!("The time was over during {during}."),
        )
    }

    /// An established connection that broke.
    pub(super) fn broken(broken: Broken, during: &str) -> Self {
        match broken {
            Broken::Timeout => Self::read_timeout(during),
            Broken::Tls => Self::new(ErrorClass::TlsHandshake, format!("TLS failed during {during}.")),
            Broken::Closed => Self::new(
                ErrorClass::ConnectionReset,
                format!("The server broke the connection off during {during}."),
            ),
            Broken::TooLarge => Self::unknown(format!(
                "The server sent more than a check takes in during {during}."
            )),
            Broken::Failed => Self::unknown(format!("The connection failed during {during}.")),
            Broken::Invalid => Self::unknown(
                "The answer is not valid HTTP, or has more or longer headers than the check accepts.",
            ),
        }
    }
}

impl From<ResolveError> for ProbeError {
    fn from(error: ResolveError) -> Self {
        let class = match error {
            ResolveError::NoSuchName | ResolveError::NoAddress | ResolveError::NotAName => {
                ErrorClass::DnsNxdomain
            }
            ResolveError::ServerFailed => ErrorClass::DnsServfail,
            ResolveError::Timeout => ErrorClass::DnsTimeout,
        };
        Self::new(class, sentence(&error.to_string()))
    }
}

impl From<ConnectError> for ProbeError {
    fn from(error: ConnectError) -> Self {
        let class = match error {
            ConnectError::Refused | ConnectError::Unreachable => ErrorClass::ConnectionRefused,
            ConnectError::Reset => ErrorClass::ConnectionReset,
            ConnectError::Timeout => ErrorClass::ConnectTimeout,
            ConnectError::NoAddress | ConnectError::Failed => ErrorClass::Unknown,
        };
        Self::new(class, sentence(&error.to_string()))
    }
}

impl From<RedirectFault> for ProbeError {
    fn from(fault: RedirectFault) -> Self {
        match fault {
            RedirectFault::Circle | RedirectFault::TooMany(_) => {
                Self::new(ErrorClass::TooManyRedirects, sentence(&fault.to_string()))
            }
            RedirectFault::NotAUrl => Self::unknown(sentence(&fault.to_string())),
            RedirectFault::Refused(fault @ (UrlFault::InternalName | UrlFault::Address(_))) => {
                Self::refusal(redirected(fault))
            }
            RedirectFault::Refused(fault) => Self::unknown(redirected(fault)),
        }
    }
}

impl From<UrlFault> for ProbeError {
    fn from(fault: UrlFault) -> Self {
        match fault {
            UrlFault::Address(fault) => Self::site_refused(fault),
            UrlFault::InternalName => Self::refusal(sentence(&fault.to_string())),
            _ => Self::unknown(sentence(&fault.to_string())),
        }
    }
}

/// The words for a URL that a server redirects to, and that whoever owns the check has not written.
fn redirected(fault: UrlFault) -> &'static str {
    match fault {
        UrlFault::Scheme => "The server redirects to something other than http or https.",
        UrlFault::Userinfo => "The server redirects to a URL with a user name or password.",
        UrlFault::Length => "The server redirects to a URL that is too long.",
        UrlFault::InternalName | UrlFault::Address(_) => {
            "The server redirects to an address that is not allowed: only public addresses can be checked, unless the operator \
             names their network in probe_networks."
        }
        _ => "The server redirects to a URL that cannot be checked.",
    }
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        format!("{}{}.", first.to_uppercase(), chars.as_str())
    })
}
