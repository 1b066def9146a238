//! Collects what the modules report on a domain, all at once.

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
pub struct ModuleReporters {
    reporters: Vec<Arc<dyn ModuleReporter>>,
    within: Duration,
}

impl std::fmt::Debug for ModuleReporters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.reporters.iter().map(|reporter| reporter.module()))
            .finish()
    }
}

/// The report of a module, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleReport<T> {
    /// The module reported.
    Ready(T),
    /// The module failed, or was late. The log says why.
    Failed,
    /// Nobody reports for it, or the workspace's plan lacks it.
    Absent,
}

impl ModuleReporters {
    /// These.
    #[must_use]
    pub fn new(reporters: Vec<Arc<dyn ModuleReporter>>) -> Self {
        Self {
            reporters,
            within: REPORT_WITHIN,
        }
    }

    /// The same, each with so much time.
    #[must_use]
    pub fn within(self, within: Duration) -> Self {
        Self { within, ..self }
    }

    /// Collects the reports of all modules that can be active on a domain, all at once; each has [`REPORT_WITHIN`], unless another
    /// time was set.
    /// There is one entry a module, in the order of [`Module::MONITORING`].
    pub async fn collect<'a, T>(
        &'a self,
        domain: &DomainAccess,
        report: impl Fn(&'a dyn ModuleReporter) -> BoxFuture<'a, Result<T, StoreError>>,
    ) -> Vec<(Module, ModuleReport<T>)> {
        let workspace = domain.workspace().workspace();
        let reports = Module::MONITORING.iter().map(|module| {
            let reporter = self
                .reporters
                .iter()
                .find(|reporter| reporter.module() == *module);
            let pending = reporter
                .filter(|_| workspace.has_module(*module))
                .map(|reporter| report(&**reporter));
            async move {
                let report = match pending {
                    None => ModuleReport::Absent,
                    Some(pending) => within_limit(*module, self.within, pending).await,
                };
                (*module, report)
            }
        });
        join_all(reports).await
    }
}

async fn within_limit<T>(
    module: Module,
    limit: Duration,
    pending: BoxFuture<'_, Result<T, StoreError>>,
) -> ModuleReport<T> {
    match timeout(limit, pending).await {
        Ok(Ok(report)) => ModuleReport::Ready(report),
        Ok(Err(error)) => {
            tracing::warn!(%module, %error, "a module can't report on a domain");
            ModuleReport::Failed
        }
        Err(_) => {
            tracing::warn!(%module, ?limit, "a module is late to report on a domain");
            ModuleReport::Failed
        }
    }
}

/// The modules that failed, as `unavailable_modules` lists them.
pub fn unavailable<T>(reports: &[(Module, ModuleReport<T>)]) -> Vec<Module> {
    reports
        .iter()
        .filter(|(_, report)| matches!(report, ModuleReport::Failed))
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
        window::DateRange,
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
        let window = DateRange::ending(today.date(), 28);
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
        let reports = reporters
            .collect(&access, |reporter| reporter.overview(&access, &windows))
            .await;
        let took = begun.elapsed();
        let expected = |module: Module| match module {
            Module::Uptime | Module::Rum | Module::Robots => ModuleReport::Failed,
            Module::Crux | Module::Analytics => ModuleReport::Ready(OverviewReport::Empty),
            _ => ModuleReport::Absent,
        };
        let expected: Vec<_> = Module::MONITORING
            .iter()
            .map(|module| (*module, expected(*module)))
            .collect();
        assert_eq!(reports, expected);
        assert_eq!(
            unavailable(&reports),
            [Module::Uptime, Module::Rum, Module::Robots],
            "in the order of the modules"
        );
        // The two that hang are waited for at once.
        assert!(took >= REPORT_WITHIN && took < REPORT_WITHIN * 2, "{took:?}");
    }
}
