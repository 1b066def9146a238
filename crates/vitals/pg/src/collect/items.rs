//! The rows of what a view has several of.

use pharos_domain::collect::view::{Script, View};
use pharos_vitals::{error_group::GroupedError, providers::is_third_party};
use serde_json::json;

use super::rows::ViewRows;
use crate::dictionary::Dimension;

impl ViewRows<'_> {
    pub(super) fn add_items(&mut self, view: &View) {
        for (place, timing) in view.cause.ttfb.server_timings.iter().enumerate() {
            let name = self.text(Dimension::Timing, Some(&timing.name));
            self.row(
                "rum_server_timings",
                json!({ "place": place, "name": name, "duration_ms": timing.duration_ms }),
            );
        }
        for (place, error) in view.errors.iter().enumerate() {
            let grouped = GroupedError::of(error, self.host);
            let kind = self.plain(Dimension::ErrorKey, &grouped.key);
            self.row(
                "rum_errors",
                json!({ "place": place, "kind": kind, "line": grouped.line, "column_number": grouped.column }),
            );
            self.group(kind, |domain| {
                json!({
                    "kind": kind, "domain_id": domain.0,
                    "message": grouped.message, "name": grouped.name,
                    "source": error.source as i16, "is_handled": error.is_handled,
                    "filename": grouped.filename, "line": grouped.line, "column_number": grouped.column,
                    "stack": grouped.stack, "causes": grouped.causes,
                    "is_third_party": grouped.is_third_party, "is_opaque": grouped.is_opaque,
                })
            });
        }
        for (place, resource) in view.resources.iter().enumerate() {
            let phases = resource.phases;
            let host = host_of(&resource.url).to_owned();
            let columns = json!({
                "place": place,
                "url": self.address(Dimension::Resource, Some(&resource.url)),
                "host": self.plain(Dimension::Host, &host),
                "kind": resource.kind as i16,
                "method": self.text(Dimension::Method, resource.method.as_ref()),
                "start_ms": resource.start_ms,
                "duration_ms": resource.duration_ms,
                "dns_ms": phases.map(|phases| phases.dns_ms),
                "connect_ms": phases.map(|phases| phases.connect_ms),
                "tls_ms": phases.map(|phases| phases.tls_ms),
                "ttfb_ms": phases.map(|phases| phases.ttfb_ms),
                "download_ms": phases.map(|phases| phases.download_ms),
                "transfer_bytes": phases.map(|phases| phases.transfer_bytes),
                "decoded_bytes": phases.map(|phases| phases.decoded_bytes),
                "protocol": self.text(Dimension::Protocol, resource.protocol.as_ref()),
                "is_render_blocking": resource.is_render_blocking,
                "is_cached": resource.is_cached,
                "status": resource.status,
                "is_third_party": is_third_party(&resource.url, self.host),
            });
            self.row("rum_resources", columns);
        }
        let mut scripts = 0;
        for (place, frame) in view.long_frames.iter().flatten().enumerate() {
            let columns = json!({
                "place": place,
                "kind": frame.kind as i16,
                "start_ms": frame.start_ms,
                "duration_ms": frame.duration_ms,
                "blocking_ms": frame.blocking_ms,
                "style_layout_ms": frame.style_layout_ms,
            });
            self.row("rum_frames", columns);
            for script in &frame.scripts {
                self.add_script(scripts, place, script);
                scripts += 1;
            }
        }
        for (place, reason) in view.not_restored.iter().flatten().enumerate() {
            let text = self.text(Dimension::Reason, Some(&reason.reason));
            self.row(
                "rum_reasons",
                json!({ "place": place, "reason": text, "kind": reason.kind as i16 }),
            );
        }
    }

    fn add_script(&mut self, place: usize, frame: usize, script: &Script) {
        let columns = json!({
            "place": place,
            "frame": frame,
            "url": self.address(Dimension::Resource, script.url.as_ref()),
            "function": self.text(Dimension::Function, script.function.as_ref()),
            "invoker": self.text(Dimension::Invoker, script.invoker.as_ref()),
            "invoker_type": script.invoker_type.map(|kind| kind as i16),
            "duration_ms": script.duration_ms,
            "forced_layout_ms": script.forced_layout_ms,
            "is_third_party": script.url.as_deref().is_some_and(|url| is_third_party(url, self.host)),
        });
        self.row("rum_scripts", columns);
    }
}

/// The host of an address.
fn host_of(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', ':']).next().unwrap_or_default()
}
