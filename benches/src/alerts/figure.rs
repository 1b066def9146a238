//! The figures, and their targets.

/// Something that is measured in every round.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) unit: &'static str,
    /// It has to stay below; `None`: it is for information.
    pub(super) below: Option<f64>,
}

const fn told(name: &'static str, title: &'static str, unit: &'static str) -> Figure {
    Figure {
        name,
        title,
        unit,
        below: None,
    }
}

pub(super) static EVALUATION: Figure = Figure {
    below: Some(20.0),
    ..told(
        "evaluation",
        "all rules, none of which had been evaluated: those that are broken fire",
        "s",
    )
};
pub(super) static STATEMENTS: Figure = Figure {
    below: Some(200.0),
    ..told(
        "statements",
        "the statements of that, BEGIN and COMMIT included",
        "statements",
    )
};
pub(super) static NESTED: Figure = told("statements-nested", "those inside triggers", "statements");
pub(super) static STEADY: Figure = told("steady", "all rules again, a minute in which little happens", "s");
pub(super) static STEADY_STATEMENTS: Figure =
    told("steady-statements", "the statements of that", "statements");
pub(super) static WRITTEN: Figure = told(
    "written",
    "alerts, notifications, deliveries and jobs that were stored",
    "rows",
);
pub(super) static MEMORY: Figure = told("memory", "by how much the process grew meanwhile", "MiB");
pub(super) static BATCHING: Figure = told(
    "batching",
    "the same rules one by one, two bare statements each: by the time of all at once",
    "times",
);
pub(super) static MIXED: Figure = Figure {
    below: Some(20.0),
    ..told(
        "mixed",
        "as many rules on the metrics of all modules, of which uptime alone has data",
        "s",
    )
};
pub(super) static MIXED_STATEMENTS: Figure = Figure {
    below: Some(200.0),
    ..told(
        "mixed-statements",
        "the statements of that, BEGIN and COMMIT included",
        "statements",
    )
};
pub(super) static BURST: Figure = told(
    "burst",
    "all sites go down at once: from the first failed check that confirms it until every site's rule has fired",
    "s",
);
pub(super) static BURST_STORED: Figure = told("burst-stored", "until those checks were stored", "s");
