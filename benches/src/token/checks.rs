//! Checks of credentials that the node has seen before.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use pharos_auth::authenticator::CredentialAuthenticator;
use pharos_domain::{authenticator::Authenticator, identity::Source};

use super::Sample;

/// How many checks are timed together: one alone is shorter than a look at the clock.
const BATCH: u32 = 1_000;

/// A key and a token of the same user.
pub(super) struct Checks {
    pub(super) authenticator: Arc<CredentialAuthenticator>,
    pub(super) key: String,
    pub(super) token: String,
}

impl Checks {
    pub(super) async fn of_the_key(&self, counted: Duration) -> Result<Sample> {
        self.run(&self.key, counted).await
    }

    pub(super) async fn of_the_token(&self, counted: Duration) -> Result<Sample> {
        self.run(&self.token, counted).await
    }

    async fn run(&self, credential: &str, counted: Duration) -> Result<Sample> {
        let source = Source(Some([127, 0, 0, 1].into()));
        let check = async || {
            let checked = self.authenticator.authenticate(credential, source).await;
            ensure!(checked.is_ok(), "a credential is refused");
            Ok(())
        };
        // Its first sight.
        check().await?;
        let (began, mut checks, mut batches) = (Instant::now(), 0_u64, Vec::new());
        while began.elapsed() < counted {
            let batch = Instant::now();
            for _ in 0..BATCH {
                check().await?;
            }
            batches.push(batch.elapsed() / BATCH);
            checks += u64::from(BATCH);
        }
        let rate = checks as f64 / began.elapsed().as_secs_f64();
        Ok(Sample {
            rate,
            ..Sample::of(batches, counted)
        })
    }
}
