//! GET /domains/{domain_id}/rum/connections

use pharos_domain::{collect::view::Connection, identity::DomainAccess, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    chosen::MOST_ROWS,
    slices::{Dimension, RttBand, Slice, SliceReads, Slices},
    store::VitalsReads,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    filters::ViewFilters,
    meta::RumMeta,
    slices::{BASE, SlicePublic, SlicesRoot, read},
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listRumConnections",
    path: "/domains/{domain_id}/rum/connections",
    summary: "Vitals by type of connection, protocol and round trip",
    ..BASE
};

pub(super) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(filters): Query<ViewFilters>,
    slices: Port<dyn SliceReads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumConnectionPublic, ConnectionsRoot>> {
    let wanted = [Dimension::Connection, Dimension::Protocol, Dimension::Rtt];
    let (found, root) = read(
        &access,
        &asked,
        &filters.into(),
        (wanted, MOST_ROWS),
        &slices,
        &reads,
    )
    .await?;
    let [connections, protocols, bands] = &found;
    let items = connections
        .slices
        .iter()
        .map(|slice| RumConnectionPublic::new(connections, slice));
    let by_protocol = protocols.slices.iter().map(|slice| by_protocol(protocols, slice));
    let by_rtt_band = bands.slices.iter().map(|slice| by_rtt_band(bands, slice));
    Ok(Page::single(items.collect()).with(ConnectionsRoot::new(
        by_protocol.collect(),
        by_rtt_band.collect(),
        root.of(connections),
    )))
}

/// The members of the answer beside the list of types of connections.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumConnectionsRoot)]
pub(super) struct ConnectionsRoot {
    /// The same views by the protocol of the document: http/1.1, h2, h3.
    by_protocol: Vec<SlicePublic>,
    /// The same views by the round-trip time: low up to 75 ms, medium up to 275 ms, high above.
    by_rtt_band: Vec<SlicePublic>,
    /// Which percentile vitals are.
    #[schema(value_type = String)]
    percentile: &'static str,
    /// How many rows there are; left out where there are more than are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, nullable = false)]
    total: Option<u64>,
    /// Whether rows were left out.
    truncated: bool,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

impl ConnectionsRoot {
    fn new(by_protocol: Vec<SlicePublic>, by_rtt_band: Vec<SlicePublic>, root: SlicesRoot) -> Self {
        let SlicesRoot {
            percentile,
            total,
            truncated,
            meta,
        } = root;
        Self {
            by_protocol,
            by_rtt_band,
            percentile,
            total,
            truncated,
            meta,
        }
    }
}

/// The views over a type of connection.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumConnection)]
pub(super) struct RumConnectionPublic {
    /// The effective type: slow_2g, 2g, 3g, 4g, or unknown where the browser does not say.
    #[schema(value_type = String)]
    connection: &'static str,
    #[serde(flatten)]
    slice: SlicePublic,
}

impl RumConnectionPublic {
    fn new(slices: &Slices, slice: &Slice) -> Self {
        let connection = slice.key.kind(Connection::ALL);
        let label = |connection| match connection {
            Connection::Slow2g => "Slow 2G",
            Connection::TwoG => "2G",
            Connection::ThreeG => "3G",
            Connection::FourG => "4G or faster",
        };
        let named = connection.map(|kind| (kind.as_str().to_owned(), label(kind).to_owned()));
        Self {
            connection: connection.map_or("unknown", Connection::as_str),
            slice: SlicePublic::new(slices, slice, named),
        }
    }
}

fn by_protocol(slices: &Slices, slice: &Slice) -> SlicePublic {
    let label = |protocol: &str| match protocol {
        "h2" => "HTTP/2".to_owned(),
        "h3" => "HTTP/3".to_owned(),
        "http/1.1" => "HTTP/1.1".to_owned(),
        other => other.to_owned(),
    };
    let named = slice
        .key
        .text()
        .map(|protocol| (protocol.to_owned(), label(protocol)));
    SlicePublic::new(slices, slice, named)
}

fn by_rtt_band(slices: &Slices, slice: &Slice) -> SlicePublic {
    let label = |band| match band {
        RttBand::Low => "Up to 75 ms",
        RttBand::Medium => "Up to 275 ms",
        RttBand::High => "More than 275 ms",
    };
    let band = slice.key.kind(RttBand::ALL);
    let named = band.map(|band| (band.as_str().to_owned(), label(band).to_owned()));
    SlicePublic::new(slices, slice, named)
}

impl Example for RumConnectionPublic {
    fn example() -> Self {
        Self {
            connection: "4g",
            slice: SlicePublic::example("4g", "4G or faster"),
        }
    }
}

impl Example for ConnectionsRoot {
    fn example() -> Self {
        Self::new(
            vec![SlicePublic::example("h2", "HTTP/2")],
            vec![SlicePublic::example("low", "Up to 75 ms")],
            SlicesRoot::example(),
        )
    }
}
