//! GET /alerts/metrics

use pharos_alerting::catalogue::Catalogue;
use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertModule, AlertOperator, ComparisonWindow, DefaultCondition, Direction,
        EvaluationWindow, ModuleMetrics, SupportedFilters,
    },
    module::Module,
    scope::Scope,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Caller, Example},
    spec::OperationSpec,
};
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getAlertMetrics",
    path: "/alerts/metrics",
    module: Module::Alerts,
    summary: "The metrics that rules can watch",
    description: "With the condition that a rule has if it names none. Metrics that this server can't evaluate are not in it.",
    scope: Some(Scope::ReadAlerts),
    ..OperationSpec::GET
};

pub(crate) async fn view(
    _caller: Caller,
    catalogue: Port<Catalogue>,
) -> ApiResult<AvailableMetricsResponsePublic> {
    let mut modules: Vec<ModuleMetrics> = catalogue.modules().collect();
    modules.sort_by_key(|found| found.module);
    Ok(AvailableMetricsResponsePublic {
        modules: modules.into_iter().map(AlertModuleMetricsPublic::from).collect(),
    })
}

/// The metrics that rules can watch.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AvailableMetricsResponsePublic {
    /// The modules that have any.
    modules: Vec<AlertModuleMetricsPublic>,
}

/// The metrics of a module.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AlertModuleMetrics)]
pub(crate) struct AlertModuleMetricsPublic {
    /// The module.
    module: AlertModule,
    /// Its name for people.
    label: &'static str,
    /// The metrics of the module that a rule can watch.
    metrics: Vec<AlertMetricPublic>,
}

/// A metric that rules can watch.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AlertMetric)]
pub(crate) struct AlertMetricPublic {
    /// The name in rules.
    metric: &'static str,
    /// The name for people.
    label: &'static str,
    /// One sentence: the value, and when there is none.
    description: &'static str,
    /// The unit for programs.
    #[schema(example = "milliseconds")]
    unit: &'static str,
    /// The unit as shown behind a value; empty for a number without one.
    #[schema(example = "ms")]
    display_unit: &'static str,
    /// The operator of the condition that is proposed.
    default_operator: AlertOperator,
    /// Its threshold; never null, since every metric has one.
    #[schema(required)]
    default_threshold: Option<f64>,
    /// The past that it compares with; null for operators that look at none.
    #[schema(required)]
    default_comparison_window: Option<ComparisonWindow>,
    /// The cooldown of a rule that names none, in minutes.
    #[schema(minimum = 0)]
    default_cooldown_minutes: u32,
    /// The operators that its rules can have.
    operators: Vec<AlertOperator>,
    /// Which way it gets worse.
    direction: Direction,
    /// Whether its rules can watch one URL.
    supports_url: bool,
    /// Whether its rules can watch one form factor.
    supports_form_factor: bool,
    /// The evaluation window of a rule that names none.
    evaluation_window: EvaluationWindow,
    /// How far its data are behind the present, in hours.
    #[schema(minimum = 0)]
    data_lag_hours: u32,
}

impl From<ModuleMetrics> for AlertModuleMetricsPublic {
    fn from(found: ModuleMetrics) -> Self {
        let ModuleMetrics {
            module,
            label,
            metrics,
        } = found;
        Self {
            module,
            label,
            metrics: metrics.iter().map(AlertMetricPublic::from).collect(),
        }
    }
}

impl From<&AlertMetric> for AlertMetricPublic {
    fn from(metric: &AlertMetric) -> Self {
        let AlertMetric {
            name,
            label,
            description,
            phrase: _,
            unit,
            display_unit,
            step: _,
            least: _,
            largest: _,
            kind: _,
            direction,
            operators,
            default:
                DefaultCondition {
                    operator,
                    threshold,
                    comparison_window,
                    cooldown_minutes,
                },
            windows: _,
            data_lag_hours,
            filters:
                SupportedFilters {
                    url,
                    form_factor,
                    search_types: _,
                },
        } = *metric;
        Self {
            metric: name,
            label,
            description,
            unit,
            display_unit,
            default_operator: operator,
            default_threshold: Some(threshold),
            default_comparison_window: comparison_window,
            default_cooldown_minutes: cooldown_minutes,
            operators: operators.to_vec(),
            direction,
            supports_url: url,
            supports_form_factor: form_factor,
            evaluation_window: metric.default_window(),
            data_lag_hours,
        }
    }
}

impl Example for AvailableMetricsResponsePublic {
    fn example() -> Self {
        let metric = AlertMetricPublic {
            metric: "response_ms",
            label: "Response time",
            description: "The mean time of answers. Failed checks are not among them.",
            unit: "milliseconds",
            display_unit: "ms",
            default_operator: AlertOperator::Gt,
            default_threshold: Some(2_000.0),
            default_comparison_window: None,
            default_cooldown_minutes: 120,
            operators: vec![
                AlertOperator::Gt,
                AlertOperator::PctIncrease,
                AlertOperator::Anomaly,
            ],
            direction: Direction::HigherIsWorse,
            supports_url: false,
            supports_form_factor: false,
            evaluation_window: EvaluationWindow::Hour,
            data_lag_hours: 0,
        };
        Self {
            modules: vec![AlertModuleMetricsPublic {
                module: AlertModule::Uptime,
                label: "Uptime",
                metrics: vec![metric],
            }],
        }
    }
}
