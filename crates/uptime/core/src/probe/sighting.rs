//! The sighting of a site's TLS, out of the report of a probe.

use url::Url;

use super::report::ProbeReport;
use crate::certificate::{Encounter, Sighting};
use crate::error_class::ErrorClass;

impl Sighting {
    /// Takes what a probe saw out of its report. `asked`: the URL that the probe began with.
    #[must_use]
    pub fn take(report: &mut ProbeReport, asked: &Url) -> Self {
        let url = report.final_url.as_ref().unwrap_or(asked);
        let encounter = match report.certificate.take() {
            _ if url.scheme() != "https" => Encounter::Plain,
            None => Encounter::Unreachable {
                error_class: report
                    .error
                    .as_ref()
                    .map_or(ErrorClass::Unknown, |error| error.class),
            },
            Some(presented) => Encounter::Presented {
                presented: Box::new(presented),
                session: report.tls_session.take(),
                hsts: report.hsts,
            },
        };
        Self {
            host: url.host_str().unwrap_or_default().to_owned(),
            port: url.port_or_known_default().unwrap_or(443),
            encounter,
        }
    }
}
