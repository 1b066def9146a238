//! Pictures in words: the name of their axis with its unit, and for those who don't see them where each course begins and ends, how
//! low and how high it goes, and at how many places nothing was measured.

use pharos_domain::report_widget::{DataField, FieldFormat};
use pharos_pictures::chart::Series;

use super::words;
use crate::format::ReportLocale;

/// How the values of a picture are written. All of its courses have the format of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure<'a> {
    pub(super) locale: ReportLocale,
    pub(super) format: FieldFormat,
    /// That of amounts.
    pub(super) currency: Option<&'a str>,
}

/// A place of a course, by its name, with the value there.
type Point<'a> = (&'a str, f64);

impl Measure<'_> {
    /// The name of the axis at which values stand: the course, where it is one, and the unit.
    pub(super) fn axis(self, courses: &[DataField]) -> String {
        match (courses, self.unit()) {
            ([only], None) => only.label.to_owned(),
            ([only], Some(unit)) => format!("{}, in {unit}", only.label),
            (_, Some(unit)) => format!("In {unit}"),
            (_, None) if self.format == FieldFormat::Count => "Number of each".to_owned(),
            (_, None) => "Value".to_owned(),
        }
    }

    fn unit(&self) -> Option<&str> {
        match self.format {
            FieldFormat::Percent => Some("percent"),
            FieldFormat::Fraction => Some("parts of 1"),
            FieldFormat::Millis => Some("milliseconds"),
            FieldFormat::Seconds => Some("seconds"),
            FieldFormat::Days => Some("days"),
            FieldFormat::Money => self.currency,
            _ => None,
        }
    }

    /// Courses over days, or over other places in a row.
    pub(super) fn courses(self, labels: &[String], series: &[Series<'_>]) -> String {
        let (Some(first), Some(last)) = (labels.first(), labels.last()) else {
            return String::new();
        };
        let courses: Vec<String> = series.iter().map(|series| self.course(labels, series)).collect();
        format!("From {first} to {last}. {}", courses.join(" "))
    }

    fn course(self, labels: &[String], series: &Series<'_>) -> String {
        let points = points(labels, series);
        let (Some(first), Some(last), Some((lowest, highest))) =
            (points.first(), points.last(), extremes(&points))
        else {
            return format!("{}: not measured.", series.name);
        };
        let [first, last, lowest, highest] =
            [*first, *last, lowest, highest].map(|(label, value)| format!("{} on {label}", self.told(value)));
        let gaps = match labels.len() - points.len() {
            0 => String::new(),
            gaps => format!("; not measured at {gaps} of {} places", labels.len()),
        };
        format!(
            "{}: first {first}, last {last}, lowest {lowest}, highest {highest}{gaps}.",
            series.name
        )
    }

    /// How many there are between edges.
    pub(super) fn ranges(self, labels: &[String], series: &[Series<'_>]) -> String {
        let (Some(first), Some(last)) = (labels.first(), labels.last()) else {
            return String::new();
        };
        let mut told = format!("{} ranges, the first {first}, the last {last}.", labels.len());
        for series in series {
            if let Some((fewest, most)) = extremes(&points(labels, series)) {
                let [fewest, most] =
                    [fewest, most].map(|(label, value)| format!("{} in {label}", self.told(value)));
                told.push_str(&format!(" {}: fewest {fewest}, most {most}.", series.name));
            }
        }
        told
    }

    fn told(self, value: f64) -> String {
        words::measured(self.locale, self.format, value, self.currency)
    }
}

/// The places at which a course was measured.
fn points<'a>(labels: &'a [String], series: &Series<'_>) -> Vec<Point<'a>> {
    let all = labels.iter().zip(&series.values);
    all.filter_map(|(label, value)| Some((label.as_str(), (*value)?)))
        .collect()
}

/// The lowest and the highest, of several the first.
fn extremes<'a>(points: &[Point<'a>]) -> Option<(Point<'a>, Point<'a>)> {
    let lowest = points.iter().min_by(|one, other| one.1.total_cmp(&other.1))?;
    let highest = points
        .iter()
        .rev()
        .max_by(|one, other| one.1.total_cmp(&other.1))?;
    Some((*lowest, *highest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn measure(format: FieldFormat) -> Measure<'static> {
        Measure {
            locale: ReportLocale::De,
            format,
            currency: Some("EUR"),
        }
    }

    fn labels() -> Vec<String> {
        (1..=5).map(|day| format!("0{day}.03.2026")).collect()
    }

    fn series(values: &[Option<f64>]) -> Series<'static> {
        Series {
            name: "LCP",
            values: values.to_vec(),
        }
    }

    #[test]
    fn a_course_says_where_it_begins_and_ends_how_low_and_high_it_goes_and_what_is_missing() {
        let values = [None, Some(2_100.0), Some(4_000.0), Some(1_800.0), Some(4_000.0)];
        assert_eq!(
            measure(FieldFormat::Millis).courses(&labels(), &[series(&values)]),
            "From 01.03.2026 to 05.03.2026. LCP: first 2.100 ms on 02.03.2026, last 4.000 ms on 05.03.2026, \
             lowest 1.800 ms on 04.03.2026, highest 4.000 ms on 03.03.2026; not measured at 1 of 5 places."
        );
        let nothing = measure(FieldFormat::Millis).courses(&labels(), &[series(&[None; 5])]);
        assert!(nothing.ends_with("LCP: not measured."), "{nothing}");
        assert_eq!(measure(FieldFormat::Count).courses(&[], &[]), "");
    }

    #[test]
    fn ranges_say_which_has_the_most() {
        let labels = ["0 – 0,05", "from 0,05"].map(str::to_owned);
        assert_eq!(
            measure(FieldFormat::Count).ranges(&labels, &[series(&[Some(1_200.0), Some(0.0)])]),
            "2 ranges, the first 0 – 0,05, the last from 0,05. LCP: fewest 0 in from 0,05, most 1.200 in 0 – 0,05."
        );
    }

    #[test]
    fn an_axis_names_what_stands_at_it_and_its_unit() {
        const REVENUE: DataField = DataField::new("revenue", "Revenue", FieldFormat::Money);
        const OTHER: DataField = DataField::new("refunds", "Refunds", FieldFormat::Money);
        for (format, one, several) in [
            (FieldFormat::Money, "Revenue, in EUR", "In EUR"),
            (FieldFormat::Millis, "Revenue, in milliseconds", "In milliseconds"),
            (FieldFormat::Percent, "Revenue, in percent", "In percent"),
            (FieldFormat::Count, "Revenue", "Number of each"),
            (FieldFormat::Score, "Revenue", "Value"),
        ] {
            assert_eq!(measure(format).axis(&[REVENUE]), one);
            assert_eq!(measure(format).axis(&[REVENUE, OTHER]), several);
        }
        let unknown = Measure {
            currency: None,
            ..measure(FieldFormat::Money)
        };
        assert_eq!(unknown.axis(&[REVENUE]), "Revenue");
    }
}
