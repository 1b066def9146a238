//! The ports that are implemented here.

use std::sync::Arc;

use pharos_auth::{
    keys::manage::KeyStore,
    oauth::store::{ClientStore, GrantStore, SigningKeyStore},
    sign_in::{factor_store::FactorStore, reach::UserReach, store::SignInStore},
    store::CredentialStore,
};
use pharos_domain::ports::Ports;
use pharos_persistence::pool::Database;

use crate::{
    credentials::PgCredentialStore,
    keys::PgKeyStore,
    oauth::{clients::PgClientStore, grants::PgGrantStore, signing_keys::PgSigningKeyStore},
    sign_in::{PgSignInStore, factors::PgFactorStore, reach::PgUserReach},
};

pub(crate) fn ports(ports: Ports, database: &Database) -> Ports {
    ports
        .with::<dyn ClientStore>(Arc::new(PgClientStore::new(database.clone())))
        .with::<dyn CredentialStore>(Arc::new(PgCredentialStore::new(database.clone())))
        .with::<dyn FactorStore>(Arc::new(PgFactorStore::new(database.clone())))
        .with::<dyn GrantStore>(Arc::new(PgGrantStore::new(database.clone())))
        .with::<dyn KeyStore>(Arc::new(PgKeyStore::new(database.clone())))
        .with::<dyn SignInStore>(Arc::new(PgSignInStore::new(database.clone())))
        .with::<dyn SigningKeyStore>(Arc::new(PgSigningKeyStore::new(database.clone())))
        .with::<dyn UserReach>(Arc::new(PgUserReach::new(database.clone())))
}
