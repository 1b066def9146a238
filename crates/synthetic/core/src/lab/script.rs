//! The script that runs Lighthouse: what it reads, and what it says where it has no result.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{
    page::{Category, PageSettings},
    profile::{FormFactor, Profile, ThrottlingMethod},
};

/// The script that runs Lighthouse; it is written beside the profile of the browser.
pub(super) const SCRIPT: &str = include_str!("../../lab/run.mjs");

/// The order that the script reads.
#[derive(Serialize)]
pub(super) struct ScriptOrder<'a> {
    pub(super) lighthouse: &'a Path,
    pub(super) chromium: &'a Path,
    pub(super) proxy: String,
    pub(super) folder: &'a Path,
    pub(super) sandbox: bool,
    pub(super) memory_mib: u32,
    pub(super) disk_mib: u32,
    #[serde(flatten)]
    pub(super) task: &'a Task<'a>,
}

/// The task that the script does.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Task<'a> {
    /// Measure a page.
    Load {
        url: &'a str,
        cookie: Option<&'a str>,
        basic_auth: Option<Credentials<'a>>,
        settings: Box<Settings<'a>>,
    },
    /// Measure the machine.
    Benchmark { benchmark: bool },
}

/// The script's answer about the machine.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BenchmarkAnswer {
    pub(super) benchmark_index: f64,
}

#[derive(Serialize)]
pub(super) struct Credentials<'a> {
    pub(super) username: &'a str,
    pub(super) password: &'a str,
}

/// The settings of Lighthouse.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Settings<'a> {
    form_factor: &'static str,
    throttling_method: &'static str,
    throttling: Throttling,
    screen_emulation: Screen,
    emulated_user_agent: &'static str,
    only_categories: Vec<&'static str>,
    blocked_url_patterns: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Throttling {
    rtt_ms: f64,
    throughput_kbps: f64,
    request_latency_ms: f64,
    download_throughput_kbps: f64,
    upload_throughput_kbps: f64,
    cpu_slowdown_multiplier: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Screen {
    mobile: bool,
    width: u16,
    height: u16,
    device_scale_factor: f64,
    disabled: bool,
}

/// Factors by which the throttling of the browser raises the latency of a network and lowers its throughput, so that a page
/// loads as it would there. They are those of Lighthouse's `constants.js`.
const LATENCY_FACTOR: f64 = 3.75;
const THROUGHPUT_FACTOR: f64 = 0.9;
/// The throughput of uploads on slow 4G, in kilobits a second, as Lighthouse has it.
const SLOW_4G_UPLOAD_KBPS: f64 = 750.0;

impl<'a> Settings<'a> {
    pub(super) fn new(page: &'a PageSettings, profile: &'static Profile) -> Self {
        let is_mobile = profile.form_factor == FormFactor::Mobile;
        Self {
            form_factor: profile.form_factor.as_str(),
            throttling_method: profile.throttling_method.as_str(),
            throttling: Throttling::of(profile),
            screen_emulation: Screen {
                mobile: is_mobile,
                width: profile.viewport_width,
                height: profile.viewport_height,
                device_scale_factor: profile.device_scale_factor,
                disabled: false,
            },
            emulated_user_agent: profile.user_agent,
            only_categories: page
                .categories
                .iter()
                .map(|category: &Category| category.upstream())
                .collect(),
            blocked_url_patterns: &page.blocked_url_patterns,
        }
    }
}

impl Throttling {
    fn of(profile: &Profile) -> Self {
        let is_slowed = profile.throttling_method != ThrottlingMethod::Provided;
        let is_4g = is_slowed && profile.form_factor == FormFactor::Mobile;
        Self {
            rtt_ms: profile.rtt_ms,
            throughput_kbps: profile.throughput_kbps,
            request_latency_ms: profile.rtt_ms * LATENCY_FACTOR,
            download_throughput_kbps: profile.throughput_kbps * THROUGHPUT_FACTOR,
            upload_throughput_kbps: if is_4g {
                SLOW_4G_UPLOAD_KBPS * THROUGHPUT_FACTOR
            } else {
                0.0
            },
            cpu_slowdown_multiplier: profile.cpu_slowdown,
        }
    }
}

/// The reason that the script gives where there is no result.
pub(super) fn failure(output: &[u8]) -> Option<String> {
    // A result begins otherwise.
    if !output.starts_with(b"{\"failure\"") {
        return None;
    }
    let told: serde_json::Value = serde_json::from_slice(output).ok()?;
    let message = told.get("failure")?.get("message")?.as_str()?;
    Some(message[..message.floor_char_boundary(500)].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `mobileSlow4G` of Lighthouse's `constants.js`.
    #[test]
    fn a_phone_is_slowed_down_as_lighthouse_does_it() {
        let mobile = Throttling::of(Profile::named("mobile").unwrap());
        assert_eq!(
            [
                mobile.rtt_ms,
                mobile.throughput_kbps,
                mobile.request_latency_ms,
                mobile.download_throughput_kbps,
                mobile.upload_throughput_kbps,
                mobile.cpu_slowdown_multiplier,
            ]
            .map(|value| (value * 100.0).round() / 100.0),
            [150.0, 1_638.4, 562.5, 1_474.56, 675.0, 4.0]
        );
    }

    /// Chromium passes over an argument that it does not know, so that a wrong one is no argument.
    #[test]
    fn the_browser_has_no_way_beside_the_proxy() {
        for argument in [
            "`--proxy-server=http://${order.proxy}`",
            "'--proxy-bypass-list=<-loopback>'",
            "'--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'",
            "'--disable-quic'",
            "'--webrtc-ip-handling-policy=disable_non_proxied_udp'",
        ] {
            assert!(SCRIPT.contains(argument), "{argument}");
        }
    }

    #[test]
    fn the_reason_of_the_script_is_told_from_a_result() {
        assert_eq!(
            failure(br#"{"failure":{"code":null,"message":"Chromium does not listen"}}"#).as_deref(),
            Some("Chromium does not listen")
        );
        assert_eq!(failure(br#"{"lighthouseVersion":"13.5.0"}"#), None);
        assert_eq!(failure(b""), None);
    }
}
