//! The limits an hour, as they are configured.

use pharos_auth::{oauth::limits::OauthLimits, sign_in::desk::SignInLimits};
use pharos_ingest::collector::Limits as CollectLimits;

use crate::config::Config;

impl From<&Config> for CollectLimits {
    fn from(config: &Config) -> Self {
        Self {
            source: config.collect_rows_per_hour,
            site: config.collect_rows_of_site_per_hour,
        }
    }
}

impl From<&Config> for OauthLimits {
    fn from(config: &Config) -> Self {
        Self {
            register: config.oauth_registrations_per_hour,
            authorize: config.oauth_authorizations_per_hour,
            consent: config.oauth_consents_per_hour,
            token: config.oauth_tokens_per_hour,
            revoke: config.oauth_revocations_per_hour,
        }
    }
}

impl From<&Config> for SignInLimits {
    fn from(config: &Config) -> Self {
        Self {
            source: config.sign_ins_per_hour,
            account: config.sign_ins_of_account_per_hour,
            forgotten: config.forgotten_passwords_per_hour,
            links_of_account: config.links_of_account_per_hour,
            links_of_maker: config.links_of_maker_per_hour,
        }
    }
}
