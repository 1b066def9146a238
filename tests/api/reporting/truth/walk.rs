//! The text of a PDF, walked from its beginning to its end: whatever stands there is a figure of the data, a name of the catalogue, or
//! one of the few things that are let pass by name.

use pharos_domain::{
    day::Day,
    report_widget::{DataField, FieldFormat, ReportWidget, WidgetKind, at_path},
    window::DateRange,
};
use serde_json::Value;
use time::{Date, Duration};

use super::figures::{NOTHING, change, change_of, column, day, measured, summary_days, written};

/// A text as it is compared: how lines are broken is the printer's business, ligatures are those of its font, and letters that the
/// font does not have are not read back. Digits, marks and units all stay.
pub(super) fn letters(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '\u{fb00}' => said.push_str("ff"),
            '\u{fb01}' => said.push_str("fi"),
            '\u{fb02}' => said.push_str("fl"),
            '\u{fb03}' => said.push_str("ffi"),
            '\u{fb04}' => said.push_str("ffl"),
            '–' => said.push(one),
            _ if one.is_ascii_graphic() => said.push(one),
            _ => {}
        }
    }
    said
}

/// The text of a PDF, page after page.
pub(super) struct Text {
    letters: String,
    /// Where pages begin.
    begins: Vec<usize>,
}

impl Text {
    /// From what each page says. The foot of a page, which is its number and the same words on all, must be there and is let pass.
    pub(super) fn of(pages: &[&str], foot: &str) -> Self {
        let (mut text, mut begins) = (String::new(), Vec::new());
        let foot = letters(foot);
        for (at, page) in pages.iter().enumerate() {
            let number = format!("{}/{}", at + 1, pages.len());
            let said = letters(page);
            let body = [format!("{number}{foot}"), format!("{foot}{number}")]
                .iter()
                .find_map(|foot| {
                    let foot = foot.as_str();
                    said.strip_prefix(foot).or_else(|| said.strip_suffix(foot))
                })
                .unwrap_or_else(|| panic!("page {number} has no foot: {said}"))
                .to_owned();
            begins.push(text.len());
            text.push_str(&body);
        }
        Self {
            letters: text,
            begins,
        }
    }

    /// All of it.
    pub(super) fn whole(&self) -> Cut<'_> {
        Cut {
            text: self,
            at: 0,
            end: self.letters.len(),
        }
    }

    /// The texts below each of these titles, which follow each other from there on.
    pub(super) fn below(&self, from: usize, titles: &[String]) -> Vec<Cut<'_>> {
        let (mut cuts, mut at): (Vec<Cut<'_>>, usize) = (Vec::new(), from);
        for title in titles {
            let title = letters(title);
            let found = self.letters[at..].find(&title);
            let found = found.unwrap_or_else(|| panic!("{title} is not in {}", &self.letters[at..])) + at;
            match cuts.last_mut() {
                Some(before) => before.end = found,
                None => assert_eq!(&self.letters[from..found], "", "before {title}"),
            }
            at = found + title.len();
            cuts.push(Cut {
                text: self,
                at,
                end: self.letters.len(),
            });
        }
        cuts
    }
}

/// A piece of the text, and how far it was read.
pub(super) struct Cut<'a> {
    text: &'a Text,
    at: usize,
    end: usize,
}

impl Cut<'_> {
    /// How far it was read.
    pub(super) const fn read(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &str {
        &self.text.letters[self.at..self.end]
    }

    /// Reads words that must come next.
    pub(super) fn takes(&mut self, words: &str) -> Result<(), String> {
        let words = letters(words);
        if !self.rest().starts_with(&words) {
            return Err(format!("{words} is to come, and there is: {:.160}", self.rest()));
        }
        self.at += words.len();
        Ok(())
    }

    /// Nothing is left.
    pub(super) fn ends(&self) -> Result<(), String> {
        match self.rest() {
            "" => Ok(()),
            rest => Err(format!("nobody accounts for: {rest:.160}")),
        }
    }

    /// Reads all that a widget shows of its answer in a report that is compared with these days. In a picture stand the names of
    /// `marks`, each at its line.
    pub(super) fn shows(
        &mut self,
        widget: &ReportWidget,
        answer: &Value,
        compared: DateRange,
        marks: &[String],
    ) -> Result<(), String> {
        let data = &answer["data"];
        if answer["status"] != "ok" {
            return Err(format!("its status is {}", answer["status"]));
        }
        match widget.kind {
            WidgetKind::Kpi => self.figures(widget, data, compared)?,
            WidgetKind::Chart => self.pictures(widget, data, marks)?,
            WidgetKind::Table => self.table(widget, data)?,
            WidgetKind::Text => self.texts(widget, data)?,
        }
        self.ends()
    }

    fn figures(&mut self, widget: &ReportWidget, data: &Value, compared: DateRange) -> Result<(), String> {
        let currency = data["currency"].as_str();
        for field in widget.fields {
            self.takes(field.label)?;
            self.takes(&written(field, data, currency))?;
            if let Some(change) = change(field, data, data) {
                self.takes(&change)?;
            }
        }
        let has_changes = widget.fields.iter().any(|field| change_of(field, data).is_some());
        match days_before(data).filter(|days| has_changes && *days != compared) {
            None => Ok(()),
            Some(days) => self.takes(&format!(
                "Changes here are against {} – {}.",
                day(&days.first().to_string()),
                day(&days.last().to_string())
            )),
        }
    }

    /// The columns below their names, row by row. Where a page ends between rows, the next begins with the names again.
    fn table(&mut self, widget: &ReportWidget, data: &Value) -> Result<(), String> {
        let rows = rows(widget, data);
        if rows.is_empty() {
            return self.takes("None.");
        }
        let currency = data["currency"].as_str();
        // Beside each figure that is compared stands how it changed.
        let heads = widget.fields.iter().flat_map(|field| {
            let change = field.change.map(|_| "Change");
            std::iter::once(field.label).chain(change)
        });
        let names: String = heads.collect();
        self.takes(&names)?;
        let columns: Vec<Vec<String>> = widget
            .fields
            .iter()
            .map(|field| column(field, rows, currency))
            .collect();
        for (at, row) in rows.iter().enumerate() {
            if self.text.begins.contains(&self.at) && self.rest().starts_with(&letters(&names)) {
                self.takes(&names)?;
            }
            for (field, texts) in widget.fields.iter().zip(&columns) {
                self.takes(&texts[at])?;
                if field.change.is_some() {
                    self.takes(&change(field, row, data).unwrap_or_else(|| NOTHING.to_owned()))?;
                }
            }
        }
        Ok(())
    }

    /// The pictures of a chart; then comes that some days are provisional, where some are, or else that the last place is not over,
    /// where it is not.
    fn pictures(&mut self, widget: &ReportWidget, data: &Value, marks: &[String]) -> Result<(), String> {
        for courses in apart(widget) {
            self.picture(widget, courses, data, marks)?;
        }
        match first_provisional(widget, data) {
            None if is_unfinished(widget, data) => {
                self.takes("Shaded ground is not over: its figures still change.")
            }
            None => Ok(()),
            Some(first) => self.takes(&format!(
                "Shaded days, from {} on, are provisional: their figures may still change.",
                day(first)
            )),
        }
    }

    /// Values of a chart are lines and bars, and no text. The name of its axis comes first. Let pass are the ticks of its axis,
    /// which stand before the names of its places and are numbers alone. Each of the marks stands once among them. The places are
    /// those of the data in their order, the first and the last among them; then come the names of the courses.
    fn picture(
        &mut self,
        widget: &ReportWidget,
        courses: &[DataField],
        data: &Value,
        marks: &[String],
    ) -> Result<(), String> {
        self.takes(&axis(courses, data))?;
        let places: Vec<String> = places(widget, data).iter().map(|place| letters(place)).collect();
        let (Some(first), Some(last)) = (places.first(), places.last()) else {
            return Err("it has no places".to_owned());
        };
        let begin = self.rest().find(first.as_str());
        let begin = begin.ok_or_else(|| format!("{first} is not in: {:.160}", self.rest()))?;
        let mut ticks = self.rest()[..begin].to_owned();
        for mark in marks {
            let mark = letters(mark);
            let at = ticks.find(&mark);
            let at = at.ok_or_else(|| format!("{mark} is not in: {ticks:.160}"))?;
            ticks.replace_range(at..at + mark.len(), "");
        }
        let is_tick =
            |one: char| one.is_ascii_digit() || matches!(one, ',' | '-' | 'k' | 'M' | 'G' | 'T' | 'P');
        if ticks.is_empty() || !ticks.chars().all(is_tick) {
            return Err(format!("these are no ticks: {ticks:.160}"));
        }
        self.at += begin;
        let mut next = 0;
        let mut newest = "";
        while let Some(place) = (next..places.len()).find(|place| self.rest().starts_with(&places[*place])) {
            self.at += places[place].len();
            next = place + 1;
            newest = places[place].as_str();
        }
        if newest != last.as_str() {
            return Err(format!("the last place is {newest} instead of {last}"));
        }
        if courses.len() > 1 {
            for course in courses {
                self.takes(course.label)?;
            }
        }
        Ok(())
    }

    fn texts(&mut self, widget: &ReportWidget, data: &Value) -> Result<(), String> {
        if widget.rows.is_none() {
            return self.takes(data["text"].as_str().unwrap_or_default());
        }
        self.takes(&summary_days(data))?;
        let rows = rows(widget, data);
        if rows.is_empty() {
            return self.takes("Nothing changed by much, and nothing needs doing.");
        }
        let mut before = "";
        for row in rows {
            let kind = row["kind"].as_str().unwrap_or_default();
            if kind != before {
                self.takes(match kind {
                    "change" => "What changed",
                    "cause" => "What caused it",
                    _ => "What needs doing",
                })?;
                before = kind;
            }
            if row["severity"] == "critical" {
                self.takes("Critical:")?;
            }
            self.takes(row["text"].as_str().unwrap_or_default())?;
        }
        Ok(())
    }
}

/// The days that an answer's changes are against: those that it names, else as many right before. Periods of the Chrome UX Report are 28
/// days long.
fn days_before(data: &Value) -> Option<DateRange> {
    let day = |text: &Value| Some(text.as_str()?.parse::<Day>().ok()?.0);
    if let Some(end) = day(&data["collection_period_end"]) {
        return Some(DateRange::ending(end, 28).preceding());
    }
    let meta = &data["meta"];
    let days = |first: &str, last: &str| DateRange::new(day(&meta[first])?, day(&meta[last])?);
    let named = days("compare_range_start", "compare_range_end");
    named.or_else(|| Some(days("range_start", "range_end")?.preceding()))
}

/// The first day of a chart whose figures may still change: the first after the newest that its module calls final.
fn first_provisional<'a>(widget: &ReportWidget, data: &'a Value) -> Option<&'a str> {
    if data["data_state"] == "final" || data["data_state"].is_null() {
        return None;
    }
    let through = data["meta"]["data_through"].as_str().unwrap_or_default();
    let mut days = rows(widget, data).iter().filter_map(|row| row["date"].as_str());
    // Days are in the order of their letters.
    days.find(|day| *day > through)
}

/// Whether the last place of a chart is a day or a week that is not over: the days of the answer end within it, and the last of
/// them is not over.
fn is_unfinished(widget: &ReportWidget, data: &Value) -> bool {
    if is_histogram(widget) || data["meta"]["range_end_partial"] != true {
        return false;
    }
    let date = |text: &Value| text.as_str().unwrap()[..10].parse::<Day>().unwrap().0;
    let begins: Vec<Date> = rows(widget, data)
        .iter()
        .map(|row| date(at_path(row, widget.fields[0].path).unwrap()))
        .collect();
    let lengths = begins.windows(2).map(|pair| pair[1] - pair[0]);
    let length = lengths.min().unwrap_or(Duration::DAY).max(Duration::DAY);
    let end = date(&data["meta"]["range_end"]);
    begins.last().is_some_and(|last| *last + length > end)
}

/// The rows of a widget's data.
pub(super) fn rows<'a>(widget: &ReportWidget, data: &'a Value) -> &'a [Value] {
    let rows = widget.rows.and_then(|member| at_path(data, member));
    rows.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn is_histogram(widget: &ReportWidget) -> bool {
    !matches!(widget.fields[0].format, FieldFormat::Day | FieldFormat::Moment)
}

/// The fields that a chart shows as courses.
fn courses(widget: &ReportWidget) -> &'static [DataField] {
    &widget.fields[if is_histogram(widget) { 2 } else { 1 }..]
}

/// The same by picture: those of another size have one of their own.
fn apart(widget: &ReportWidget) -> Vec<&'static [DataField]> {
    let alone = |one: &DataField, other: &DataField| one.is_apart || other.is_apart;
    courses(widget)
        .chunk_by(|one, other| !alone(one, other))
        .collect()
}

/// The name of the axis of a picture: its course, where it is one, and the unit.
fn axis(courses: &[DataField], data: &Value) -> String {
    let unit = match courses[0].format {
        FieldFormat::Percent => "percent",
        FieldFormat::Millis => "milliseconds",
        FieldFormat::Money => data["currency"].as_str().unwrap_or_default(),
        FieldFormat::Count => "",
        format => panic!("no chart shows {format:?}"),
    };
    // Ranges are of a metric.
    if let (Some(metric), Some(of)) = (data["metric"].as_str(), data["unit"].as_str()) {
        return format!("{}, by {} ({of})", courses[0].label, metric.to_uppercase());
    }
    match (courses, unit) {
        ([one], "") => one.label.to_owned(),
        ([one], unit) => format!("{}, in {unit}", one.label),
        (_, "") => "Number of each".to_owned(),
        (_, unit) => format!("In {unit}"),
    }
}

/// The names of a chart's places.
fn places(widget: &ReportWidget, data: &Value) -> Vec<String> {
    let name = |row: &Value| {
        if !is_histogram(widget) {
            let place = at_path(row, widget.fields[0].path).and_then(Value::as_str);
            return day(place.unwrap());
        }
        let edge = |at: usize| {
            let field = &widget.fields[at];
            let value = at_path(row, field.path)?.as_f64()?;
            Some(measured(field.format, value, None))
        };
        let from = edge(0).unwrap();
        edge(1).map_or_else(|| format!("from {from}"), |to| format!("{from} – {to}"))
    };
    rows(widget, data).iter().map(name).collect()
}

/// The rows of the tables that stand beside the pictures of a chart on a page of HTML.
pub(super) fn charted(widget: &ReportWidget, data: &Value) -> Vec<Vec<String>> {
    let pictures = apart(widget).into_iter();
    pictures
        .flat_map(|courses| beside(widget, courses, data))
        .collect()
}

fn beside(widget: &ReportWidget, courses: &[DataField], data: &Value) -> Vec<Vec<String>> {
    let row = |(place, row): (String, &Value)| {
        let values = courses.iter().map(|course| {
            let value = at_path(row, course.path).and_then(Value::as_f64);
            // All have the unit of the first.
            value.map_or_else(
                || "not measured".to_owned(),
                |value| measured(courses[0].format, value, None),
            )
        });
        std::iter::once(place)
            .chain(values)
            .map(|cell| letters(&cell))
            .collect()
    };
    places(widget, data)
        .into_iter()
        .zip(rows(widget, data))
        .map(row)
        .collect()
}

/// The cells of the tables below a title of a page of HTML, row by row.
pub(super) fn cells(page: &str, title: &str) -> Vec<Vec<String>> {
    let below = page
        .split_once(&format!("<h3>{title}</h3>"))
        .map(|(_, rest)| rest);
    let below = below.unwrap_or_else(|| panic!("{title} is not on the page"));
    let own = below.split("<h3>").next().unwrap_or_default();
    let bodies = own.split("<tbody>").skip(1);
    bodies
        .filter_map(|body| body.split("</tbody>").next())
        .flat_map(|body| body.split("<tr>").skip(1))
        .map(|row| {
            // A cell begins with its tag and ends where `</t` does.
            let cells = row.split("</t").filter(|cell| cell.contains("<t"));
            cells
                .filter_map(|cell| cell.rsplit_once('>'))
                .map(|(_, text)| letters(text))
                .collect()
        })
        .collect()
}
