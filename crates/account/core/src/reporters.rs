//! Asks the modules about a domain, all at once.

use std::{sync::Arc, time::Duration};

use futures_util::future::{BoxFuture, join_all};
use pharos_domain::{
    identity::DomainAccess, module::Module, module_block::ModuleReporter, store::StoreError,
};
use tokio::time::timeout;

/// How long a module may take, and so a caller waits. It is far above what a report takes: to count the checks of five
/// regions every 30 seconds, 403,200 in 28 days, takes some 0.1 s.
pub const REPORT_WITHIN: Duration = Duration::from_secs(2);

/// The modules that report.
#[derive(Clone)]
pub struct ModuleReporters(Vec<Arc<dyn ModuleReporter>>);

impl std::fmt::Debug for ModuleReporters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|reporter| reporter.module()))
            .finish()
    }
}

/// What came of asking a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told<T> {
    /// It answered.
    Answer(T),
    /// It failed, or was late. The log says why.
    Failed,
    /// Nobody reports for it, or the workspace's plan has not the module.
    Unknown,
}

impl ModuleReporters {
    /// These.
    #[must_use]
    pub fn new(reporters: Vec<Arc<dyn ModuleReporter>>) -> Self {
        Self(reporters)
    }

    /// Asks every module that can be active on a domain, all at once, each for [`REPORT_WITHIN`] at most. The answer
    /// has one entry a module, in the order of [`Module::MONITORING`].
    pub async fn ask<'a, T>(
        &'a self,
        domain: &DomainAccess,
        question: impl Fn(&'a dyn ModuleReporter) -> BoxFuture<'a, Result<T, StoreError>>,
    ) -> Vec<(Module, Told<T>)> {
        let workspace = domain.workspace().workspace();
        let asked = Module::MONITORING.iter().map(|module| {
            let reporter = self.0.iter().find(|reporter| reporter.module() == *module);
            let answer = reporter
                .filter(|_| workspace.has_module(*module))
                .map(|reporter| question(&**reporter));
            async move {
                let told = match answer {
                    None => Told::Unknown,
                    Some(answer) => within_limit(*module, answer).await,
                };
                (*module, told)
            }
        });
        join_all(asked).await
    }
}

async fn within_limit<T>(module: Module, answer: BoxFuture<'_, Result<T, StoreError>>) -> Told<T> {
    match timeout(REPORT_WITHIN, answer).await {
        Ok(Ok(answer)) => Told::Answer(answer),
        Ok(Err(error)) => {
            tracing::warn!(%module, %error, "a module can't report on a domain");
            Told::Failed
        }
        Err(_) => {
            tracing::warn!(%module, limit = ?REPORT_WITHIN, "a module is late to report on a domain");
            Told::Failed
        }
    }
}

/// The modules that failed, as `unavailable_modules` lists them.
pub fn unavailable<T>(told: &[(Module, Told<T>)]) -> Vec<Module> {
    told.iter()
        .filter(|(_, told)| matches!(told, Told::Failed))
        .map(|(module, _)| *module)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use async_trait::async_trait;
    use pharos_domain::{
        identity::{
            CredentialKind, Identity, ModuleSet, ReachableDomain, ReachableWorkspace, SubscriptionStatus,
        },
        ids::{CredentialId, DomainId, UserId, WorkspaceId},
        module_block::{BlockWindows, ModuleHealth, OverviewReport},
        role::Role,
        scope::ScopeSet,
        window::Window,
    };
    use time::macros::datetime;

    use super::*;

    /// A module that answers, fails or hangs.
    struct Played(Module, Act);

    #[derive(Clone, Copy)]
    enum Act {
        Answers,
        Fails,
        Hangs,
    }

    #[async_trait]
    impl ModuleReporter for Played {
        fn module(&self) -> Module {
            self.0
        }

        async fn overview(&self, _: &DomainAccess, _: &BlockWindows) -> Result<OverviewReport, StoreError> {
            match self.1 {
                Act::Answers => Ok(OverviewReport::Empty),
                Act::Fails => Err(StoreError::Corrupt("broken".to_owned())),
                Act::Hangs => std::future::pending().await,
            }
        }

        async fn health(
            &self,
            _: &DomainAccess,
            _: &BlockWindows,
        ) -> Result<Option<ModuleHealth>, StoreError> {
            Ok(None)
        }
    }

    fn access(plan_modules: &[Module]) -> DomainAccess {
        let (workspace, domain) = (WorkspaceId::generate(), DomainId::generate());
        let identity = Identity {
            kind: CredentialKind::ApiKey,
            credential_id: CredentialId::generate(),
            user_id: UserId::generate(),
            name: None,
            key_prefix: None,
            expires_at: None,
            client_id: None,
            audience: None,
            scopes: ScopeSet::default(),
            workspaces: vec![ReachableWorkspace {
                id: workspace,
                role: Role::Viewer,
                subscription: SubscriptionStatus::Active,
                plan_modules: plan_modules.iter().copied().collect::<ModuleSet>(),
                domains: Arc::new([ReachableDomain {
                    id: domain,
                    hostname: "shop.example".parse().unwrap(),
                }]),
            }],
            default_workspace_id: Some(workspace),
        };
        DomainAccess::open(&Arc::new(identity), domain).unwrap()
    }

    #[tokio::test]
    async fn who_fails_or_hangs_keeps_nobody_from_answering() {
        let played = [
            Played(Module::Analytics, Act::Answers),
            Played(Module::Uptime, Act::Hangs),
            Played(Module::Rum, Act::Fails),
            Played(Module::Crux, Act::Answers),
            Played(Module::Robots, Act::Hangs),
            Played(Module::Gsc, Act::Answers),
        ];
        let reporters = ModuleReporters::new(
            played
                .map(|played| Arc::new(played) as Arc<dyn ModuleReporter>)
                .into(),
        );
        let today = datetime!(2026-03-31 09:15 UTC);
        let window = Window::ending(today.date(), 28);
        let windows = BlockWindows {
            now: today,
            current: window,
            previous: window.preceding(),
        };
        // All but gsc.
        let access = access(&[
            Module::Uptime,
            Module::Rum,
            Module::Crux,
            Module::Robots,
            Module::Analytics,
        ]);
        let begun = Instant::now();
        let told = reporters
            .ask(&access, |reporter| reporter.overview(&access, &windows))
            .await;
        let took = begun.elapsed();
        assert_eq!(
            told,
            [
                (Module::Uptime, Told::Failed),
                (Module::Rum, Told::Failed),
                (Module::Crux, Told::Answer(OverviewReport::Empty)),
                (Module::Synthetic, Told::Unknown),
                (Module::Gsc, Told::Unknown),
                (Module::Indexing, Told::Unknown),
                (Module::Robots, Told::Failed),
                (Module::Sitemap, Told::Unknown),
                (Module::Analytics, Told::Answer(OverviewReport::Empty)),
            ]
        );
        assert_eq!(
            unavailable(&told),
            [Module::Uptime, Module::Rum, Module::Robots],
            "in the order of the modules"
        );
        // The two that hang are waited for at once.
        assert!(took >= REPORT_WITHIN && took < REPORT_WITHIN * 2, "{took:?}");
    }
}
