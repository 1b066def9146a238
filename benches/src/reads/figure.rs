//! The figures: which reads are compared, and the target.

/// A read that is compared with another.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) base: Side,
    pub(super) measured: Side,
    pub(super) unit: &'static str,
    /// The most that the ratio may be; `None`: it is for information.
    pub(super) target: Option<f64>,
    /// Whether the read is measured of a domain that is not rolled up.
    pub(super) is_unrolled: bool,
}

/// One side of a figure.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) label: &'static str,
    /// The path below the domain with its query.
    pub(super) path: &'static str,
}

const YEAR: Side = Side {
    label: "365 days",
    path: "/domains/{domain_id}/uptime/availability?period_days=365",
};

pub(super) static FIGURES: [Figure; 4] = [
    Figure {
        name: "availability",
        title: "availability over 365 days, day by day: of 30 days",
        base: Side {
            label: "30 days",
            path: "/domains/{domain_id}/uptime/availability?period_days=30",
        },
        measured: YEAR,
        unit: "of 30 days",
        target: Some(1.2),
        is_unrolled: false,
    },
    Figure {
        name: "response-times",
        title: "response times over 365 days, day by day: of 30 days",
        base: Side {
            label: "30 days",
            path: "/domains/{domain_id}/uptime/response-times?period_days=30&granularity=day",
        },
        measured: Side {
            label: "365 days",
            path: "/domains/{domain_id}/uptime/response-times?period_days=365&granularity=day",
        },
        unit: "of 30 days",
        target: None,
        is_unrolled: false,
    },
    Figure {
        name: "regions",
        title: "regions over 365 days: over 30 days",
        base: Side {
            label: "30 days",
            path: "/domains/{domain_id}/uptime/regions?period_days=30",
        },
        measured: Side {
            label: "365 days",
            path: "/domains/{domain_id}/uptime/regions?period_days=365",
        },
        unit: "of 30 days",
        target: None,
        is_unrolled: false,
    },
    // The last, since its domain stays as it is.
    Figure {
        name: "availability-unrolled",
        title: "availability over 365 days out of every single check: out of roll-ups",
        base: Side {
            label: "roll-ups",
            ..YEAR
        },
        measured: Side {
            label: "checks",
            ..YEAR
        },
        unit: "of roll-ups",
        target: None,
        is_unrolled: true,
    },
];
