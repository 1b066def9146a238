//! The rows of views, by table. Every text that is stored passes through here, and is redacted here.

use std::collections::BTreeMap;

use pharos_domain::{
    collect::{
        Beacon,
        view::{Element, View},
    },
    ids::DomainId,
    store::StoreError,
    timestamp::in_utc,
};
use pharos_persistence::{json::written, moment::to_micros};
use pharos_vitals::{
    redact::{redacted, redacted_path},
    settings::VitalsSettings,
};
use serde_json::{Map, Value, json};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use crate::dictionary::{Dimension, Numbering};

/// Rows by table, as `jsonb_populate_recordset` takes them.
#[derive(Debug, Default)]
pub(super) struct Rows {
    tables: BTreeMap<&'static str, Vec<Value>>,
    /// Kinds of errors by their number.
    groups: BTreeMap<i32, Group>,
}

/// A kind of errors.
#[derive(Debug)]
struct Group {
    columns: Value,
    first: OffsetDateTime,
    last: OffsetDateTime,
}

impl Rows {
    /// Adds all that a beacon says of a view that began `at`.
    pub(super) fn add(
        &mut self,
        beacon: &Beacon<View>,
        at: OffsetDateTime,
        settings: Option<&VitalsSettings>,
        texts: &mut dyn Numbering,
    ) -> Result<(), StoreError> {
        let at = in_utc(to_micros(at)).unwrap_or(at);
        let mut view = ViewRows {
            rows: self,
            texts,
            domain: beacon.domain,
            host: &beacon.content.host,
            at,
            written_at: text_of(at)?,
            load: beacon.content.load.0,
        };
        view.add(beacon, settings);
        Ok(())
    }

    /// The rows of all tables but one as a document, and those of kinds of errors.
    pub(super) fn into_json(self) -> Result<(Value, Value), StoreError> {
        let mut groups = Vec::new();
        for Group {
            mut columns,
            first,
            last,
        } in self.groups.into_values()
        {
            columns["first_seen_at"] = json!(text_of(first)?);
            columns["last_seen_at"] = json!(text_of(last)?);
            groups.push(columns);
        }
        Ok((written(&self.tables)?, written(&groups)?))
    }
}

fn text_of(at: OffsetDateTime) -> Result<String, StoreError> {
    at.format(&Rfc3339)
        .map_err(|error| StoreError::Failed(Box::new(error)))
}

/// The rows of one view.
pub(super) struct ViewRows<'a> {
    rows: &'a mut Rows,
    texts: &'a mut dyn Numbering,
    domain: DomainId,
    pub(super) host: &'a str,
    at: OffsetDateTime,
    written_at: String,
    load: i64,
}

impl ViewRows<'_> {
    /// The number of a text that names nobody.
    pub(super) fn plain(&mut self, dimension: Dimension, text: &str) -> i32 {
        self.texts.number(self.domain, dimension, text, self.at.date())
    }

    fn any_plain(&mut self, dimension: Dimension, text: Option<&String>) -> Option<i32> {
        text.map(|text| self.plain(dimension, text))
    }

    /// The number of a text of a page's own.
    pub(super) fn text(&mut self, dimension: Dimension, text: Option<&String>) -> Option<i32> {
        text.map(|text| self.plain(dimension, &redacted(text)))
    }

    /// The number of an address.
    pub(super) fn address(&mut self, dimension: Dimension, address: Option<&String>) -> Option<i32> {
        address.map(|address| self.plain(dimension, &redacted_path(address)))
    }

    /// Adds a row with the view's key.
    pub(super) fn row(&mut self, table: &'static str, columns: Value) {
        let Value::Object(columns) = columns else { return };
        let mut row = Map::new();
        row.insert("domain_id".to_owned(), json!(self.domain.0));
        row.insert("at".to_owned(), json!(self.written_at));
        row.insert("load_id".to_owned(), json!(self.load));
        row.extend(columns);
        self.rows
            .tables
            .entry(table)
            .or_default()
            .push(Value::Object(row));
    }

    /// Adds a kind of errors, unless it is there.
    pub(super) fn group(&mut self, kind: i32, columns: impl FnOnce(DomainId) -> Value) {
        let (domain, at) = (self.domain, self.at);
        let group = self.rows.groups.entry(kind).or_insert_with(|| Group {
            columns: columns(domain),
            first: at,
            last: at,
        });
        group.first = at.min(group.first);
        group.last = at.max(group.last);
    }

    fn add(&mut self, beacon: &Beacon<View>, settings: Option<&VitalsSettings>) {
        let (view, client) = (&beacon.content, &beacon.client);
        let path = settings.map_or_else(
            || redacted_path(&view.path),
            |settings| settings.page_of(&view.path),
        );
        let frames = view.long_frames.as_deref();
        let columns = json!({
            "page": self.plain(Dimension::Page, &format!("{}{path}", view.origin)),
            "referrer": self.address(Dimension::Referrer, view.referrer.as_ref()),
            "navigation": view.navigation as i16,
            "was_hidden": view.was_hidden,
            "lcp_ms": view.lcp_ms,
            "inp_ms": view.inp_ms,
            "cls": view.cls,
            "fcp_ms": view.fcp_ms,
            "ttfb_ms": view.ttfb_ms,
            "dom_content_loaded_ms": view.dom_content_loaded_ms,
            "load_ms": view.load_ms,
            "device": client.device as i16,
            "browser": self.any_plain(Dimension::Browser, client.browser.as_ref()),
            "browser_version": self.any_plain(Dimension::BrowserVersion, client.browser_version.as_ref()),
            "os": self.any_plain(Dimension::Os, client.os.as_ref()),
            "os_version": self.any_plain(Dimension::OsVersion, client.os_version.as_ref()),
            "country": self.any_plain(Dimension::Country, client.country.as_ref()),
            "connection": view.connection.map(|connection| connection as i16),
            "rtt_ms": view.rtt_ms,
            "protocol": self.text(Dimension::Protocol, view.protocol.as_ref()),
            "device_memory": view.device_memory,
            "viewport_width": view.viewport.map(|(width, _)| width),
            "viewport_height": view.viewport.map(|(_, height)| height),
            "errors": view.errors.len(),
            "long_frames": frames.map(<[_]>::len),
            "blocking_ms": frames.map(|frames| frames.iter().map(|frame| frame.blocking_ms).sum::<f64>()),
        });
        self.row("rum_views", columns);
        let people = view.engagement;
        let columns = json!({
            "visible_ms": people.visible_ms,
            "scroll_pct": people.scroll_pct,
            "interactions": people.interactions,
            "rage_clicks": people.rage_clicks,
            "dead_clicks": people.dead_clicks,
            "tells_reasons": view.not_restored.is_some(),
        });
        self.row("rum_engagements", columns);
        self.add_causes(view);
        self.add_items(view);
    }

    fn add_causes(&mut self, view: &View) {
        let cause = &view.cause;
        if view.lcp_ms.is_some() {
            let lcp = &cause.lcp;
            let [element, id, class] = self.element(&lcp.element);
            let columns = json!({
                "element": element, "element_id": id, "element_class": class,
                "resource": self.address(Dimension::Resource, lcp.resource_url.as_ref()),
                "kind": kind_of_paint(view),
                "ttfb_ms": lcp.ttfb_ms,
                "load_delay_ms": lcp.load_delay_ms,
                "load_duration_ms": lcp.load_duration_ms,
                "render_delay_ms": lcp.render_delay_ms,
                "bytes": lcp.bytes,
                "has_high_priority": lcp.has_high_priority,
                "is_lazy": lcp.is_lazy,
                "is_preloaded": lcp.initiator.as_ref().map(|initiator| initiator == "link"),
            });
            self.row("rum_lcp", columns);
        }
        if view.inp_ms.is_some() {
            let inp = &cause.inp;
            let [element, id, class] = self.element(&inp.element);
            let longest = inp.longest_script.as_ref();
            let script = longest.map(|(script, _)| script);
            let columns = json!({
                "element": element, "element_id": id, "element_class": class,
                "interaction": inp.interaction.map(|interaction| interaction as i16),
                "load_state": inp.load_state.map(|state| state as i16),
                "input_delay_ms": inp.input_delay_ms,
                "processing_ms": inp.processing_ms,
                "presentation_ms": inp.presentation_ms,
                "script_ms": inp.script_ms,
                "style_layout_ms": inp.style_layout_ms,
                "paint_ms": inp.paint_ms,
                "unattributed_ms": inp.unattributed_ms,
                "script_url": self.address(Dimension::Resource, script.and_then(|script| script.url.as_ref())),
                "function": self.text(Dimension::Function, script.and_then(|script| script.function.as_ref())),
                "invoker": self.text(Dimension::Invoker, script.and_then(|script| script.invoker.as_ref())),
                "invoker_type": script.and_then(|script| script.invoker_type).map(|kind| kind as i16),
                "subpart": longest.and_then(|(_, subpart)| *subpart).map(|subpart| subpart as i16),
                "longest_ms": script.map(|script| script.duration_ms),
                "forced_layout_ms": script.map(|script| script.forced_layout_ms),
            });
            self.row("rum_inp", columns);
        }
        let cls = &cause.cls;
        // Most pages shift nothing.
        if view.cls.is_some() && cls.shift.is_some() {
            let [element, id, class] = self.element(&cls.element);
            let columns = json!({
                "element": element, "element_id": id, "element_class": class,
                "shift": cls.shift,
                "shift_at_ms": cls.shift_at_ms,
                "load_state": cls.load_state.map(|state| state as i16),
            });
            self.row("rum_cls", columns);
        }
        if view.ttfb_ms.is_some() {
            let ttfb = &cause.ttfb;
            let columns = json!({
                "waiting_ms": ttfb.waiting_ms,
                "cache_ms": ttfb.cache_ms,
                "dns_ms": ttfb.dns_ms,
                "connection_ms": ttfb.connection_ms,
                "request_ms": ttfb.request_ms,
                "redirects": ttfb.redirects,
            });
            self.row("rum_ttfb", columns);
        }
    }

    fn element(&mut self, element: &Element) -> [Option<i32>; 3] {
        [
            self.text(Dimension::Element, element.selector.as_ref()),
            self.text(Dimension::ElementId, element.id.as_ref()),
            self.text(Dimension::ElementClass, element.class.as_ref()),
        ]
    }
}

/// The number that stands in the column for the kind of the largest paint.
fn kind_of_paint(view: &View) -> i16 {
    let lcp = &view.cause.lcp;
    let tag = lcp.element.tag.as_deref();
    match (&lcp.resource_url, tag) {
        (None, _) if lcp.element.selector.is_none() => 4,
        (None, _) => 1,
        (Some(_), Some("video")) => 2,
        (Some(_), Some("img" | "image")) => 0,
        (Some(_), Some(_)) => 3,
        (Some(_), None) => 4,
    }
}
