//! The catalogue: every metric that can be evaluated.

use std::{fmt, sync::Arc};

use pharos_domain::alert_metric::{AlertMetric, AlertModule, MetricSource, ModuleMetrics};
use thiserror::Error;

/// Every metric that can be evaluated, with whoever gives its values.
#[derive(Clone, Default)]
pub struct Catalogue {
    sources: Arc<[Arc<dyn MetricSource>]>,
}

/// Two sources for one module, or two metrics with one name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the metric catalogue has {0} twice")]
pub struct Twice(String);

impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modules = self.modules().map(|found| found.module);
        f.debug_tuple("Catalogue")
            .field(&modules.collect::<Vec<_>>())
            .finish()
    }
}

impl Catalogue {
    /// The metrics of these sources.
    ///
    /// # Errors
    /// Two sources for one module, or two metrics with one name.
    pub fn new(sources: Vec<Arc<dyn MetricSource>>) -> Result<Self, Twice> {
        let mut seen = Vec::new();
        for found in sources.iter().map(|source| source.metrics()) {
            if seen.contains(&found.module) {
                return Err(Twice(found.module.to_string()));
            }
            seen.push(found.module);
            for (at, metric) in found.metrics.iter().enumerate() {
                if found
                    .metrics
                    .iter()
                    .skip(at + 1)
                    .any(|other| other.name == metric.name)
                {
                    return Err(Twice(format!("{} of {}", metric.name, found.module)));
                }
            }
        }
        Ok(Self {
            sources: sources.into(),
        })
    }

    /// The modules with their metrics.
    pub fn modules(&self) -> impl Iterator<Item = ModuleMetrics> {
        self.sources.iter().map(|source| source.metrics())
    }

    /// A module with its metrics.
    #[must_use]
    pub fn module(&self, module: AlertModule) -> Option<ModuleMetrics> {
        self.modules().find(|found| found.module == module)
    }

    /// A metric of a module.
    #[must_use]
    pub fn find(&self, module: AlertModule, name: &str) -> Option<&'static AlertMetric> {
        let mut metrics = self.module(module)?.metrics.iter();
        metrics.find(|metric| metric.name == name)
    }

    /// All who give values.
    pub fn sources(&self) -> impl Iterator<Item = &Arc<dyn MetricSource>> {
        self.sources.iter()
    }

    /// Who gives the values of a module's metrics.
    #[must_use]
    pub fn source(&self, module: AlertModule) -> Option<&Arc<dyn MetricSource>> {
        self.sources
            .iter()
            .find(|source| source.metrics().module == module)
    }
}
