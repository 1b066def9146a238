//! GET /domains/{domain_id}/synthetic/profiles

use pharos_domain::{identity::DomainAccess, module::Module, page::Page, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging},
};
use pharos_synthetic::profile::{
    DEFAULT_PROFILE, FormFactor, LIGHTHOUSE_VERSION, LabPlace, PROFILES, Profile, ThrottlingMethod,
};
use serde::Serialize;
use utoipa::ToSchema;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listSyntheticProfiles",
    path: "/domains/{domain_id}/synthetic/profiles",
    module: Module::Synthetic,
    summary: "The devices and networks that pages are measured as",
    description: "A static catalogue. With `simulate`, times are computed for the network and the processor of the profile; with \
                  `devtools` and `provided` they are observed. Compare runs of one profile alone.",
    scope: Some(Scope::ReadSynthetic),
    paging: Paging::Single,
    ..OperationSpec::GET
};

pub(super) async fn list(_: DomainAccess, place: Port<LabPlace>) -> ApiResult<Page<ProfilePublic>> {
    Ok(Page::single(
        PROFILES
            .iter()
            .map(|profile| ProfilePublic::new(profile, &place))
            .collect(),
    ))
}

/// A device on a network.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabProfile)]
pub(super) struct ProfilePublic {
    /// The id by which pages and runs name the profile.
    profile_id: &'static str,
    /// The name of the profile for people.
    name: &'static str,
    /// The kind of device that it stands for.
    form_factor: FormFactor,
    /// The width of the viewport in CSS pixels.
    #[schema(minimum = 1)]
    viewport_width: u16,
    /// The height of the viewport in CSS pixels.
    #[schema(minimum = 1)]
    viewport_height: u16,
    /// Pixels of the screen to one of CSS.
    device_scale_factor: f64,
    /// How network and processor are slowed down.
    throttling_method: ThrottlingMethod,
    /// The round-trip time in milliseconds; 0: nothing is added.
    rtt_ms: f64,
    /// The throughput in kilobits a second; 0: nothing is held back.
    throughput_kbps: f64,
    /// How many times slower the processor is; 1: not at all.
    cpu_slowdown: f64,
    /// The region that pages are measured from.
    location: String,
    /// The same for people.
    location_name: String,
    /// The user agent. The version of the browser in it is that of the Chromium that measures.
    user_agent: &'static str,
    /// The version of Lighthouse.
    lighthouse_version: &'static str,
    /// Whether a URL that names no profile is measured on it.
    is_default: bool,
}

impl ProfilePublic {
    fn new(profile: &Profile, place: &LabPlace) -> Self {
        let Profile {
            id,
            name,
            form_factor,
            viewport_width,
            viewport_height,
            device_scale_factor,
            throttling_method,
            rtt_ms,
            throughput_kbps,
            cpu_slowdown,
            user_agent,
        } = *profile;
        Self {
            profile_id: id,
            name,
            form_factor,
            viewport_width,
            viewport_height,
            device_scale_factor,
            throttling_method,
            rtt_ms,
            throughput_kbps,
            cpu_slowdown,
            location: place.location.clone(),
            location_name: place.location_name.clone(),
            user_agent,
            lighthouse_version: LIGHTHOUSE_VERSION,
            is_default: id == DEFAULT_PROFILE,
        }
    }
}

impl Example for ProfilePublic {
    fn example() -> Self {
        let place = LabPlace {
            location: "eu-central".to_owned(),
            location_name: "Frankfurt".to_owned(),
        };
        Self::new(&PROFILES[0], &place)
    }
}
