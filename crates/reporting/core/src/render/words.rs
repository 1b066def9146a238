//! Values as people read them, by their language.

use icu_decimal::{
    DecimalFormatter,
    input::{Decimal, SignDisplay},
    options::DecimalFormatterOptions,
};
use icu_locale_core::locale;
use pharos_domain::{
    report_widget::{FieldChange, FieldFormat},
    window::DateRange,
};
use pharos_pictures::figure::short;
use serde_json::Value;
use time::{
    Date, OffsetDateTime, UtcOffset, format_description::well_known::Rfc3339, macros::format_description,
};

use super::labels;
use crate::format::ReportLocale;

/// The sign of a value that was not measured.
pub const NOTHING: &str = "–";
/// How many decimals the change of a figure has.
const CHANGE_DECIMALS: usize = 1;
/// The largest fall in percent that leaves something, with as many decimals as changes have.
const LARGEST_FALL_PCT: f64 = -99.9;

thread_local! {
    /// The formatters, by [`ReportLocale::ALL`]. Their data is within the program.
    static FORMATTERS: Vec<Option<DecimalFormatter>> = ReportLocale::ALL.iter().map(formatter).collect();
}

fn formatter(language: &ReportLocale) -> Option<DecimalFormatter> {
    let language = match language {
        ReportLocale::En => locale!("en"),
        ReportLocale::De => locale!("de"),
        ReportLocale::Fr => locale!("fr"),
        ReportLocale::Es => locale!("es"),
        ReportLocale::Ja => locale!("ja"),
    };
    DecimalFormatter::try_new(language.into(), DecimalFormatterOptions::default()).ok()
}

/// A number with so many decimals, rounded half to even in its decimal form.
#[must_use]
pub fn number(locale: ReportLocale, value: f64, decimals: usize) -> String {
    signed(locale, value, decimals, SignDisplay::Negative)
}

fn signed(locale: ReportLocale, value: f64, decimals: usize, sign: SignDisplay) -> String {
    let plain = format!("{value:.decimals$}");
    let decimal: Option<Decimal> = plain.parse().ok();
    let written = FORMATTERS.with(|formatters| {
        let formatter = formatters.get(locale as usize)?.as_ref()?;
        Some(formatter.format(&decimal?.with_sign_display(sign)).to_string())
    });
    written.unwrap_or(plain)
}

/// A number with as many decimals as say something, at most so many.
fn trimmed(locale: ReportLocale, value: f64, most: usize) -> String {
    let plain = format!("{value:.most$}");
    let decimals = plain
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.trim_end_matches('0').len());
    number(locale, value, decimals)
}

/// A day.
#[must_use]
pub fn day(locale: ReportLocale, day: Date) -> String {
    let format = match locale {
        ReportLocale::En => format_description!("[day padding:none] [month repr:short] [year]"),
        ReportLocale::De => format_description!("[day].[month].[year]"),
        ReportLocale::Fr | ReportLocale::Es => format_description!("[day]/[month]/[year]"),
        ReportLocale::Ja => format_description!("[year]/[month]/[day]"),
    };
    day.format(format).unwrap_or_else(|_| day.to_string())
}

/// Days: the first and the last, or the one that they are.
#[must_use]
pub fn days(locale: ReportLocale, days: DateRange) -> String {
    let [first, last] = [days.first(), days.last()].map(|of| day(locale, of));
    if first == last {
        first
    } else {
        format!("{first} – {last}")
    }
}

/// A moment, UTC.
#[must_use]
pub fn moment(locale: ReportLocale, at: OffsetDateTime) -> String {
    let at = at.to_offset(UtcOffset::UTC);
    format!(
        "{} {:02}:{:02} UTC",
        day(locale, at.date()),
        at.hour(),
        at.minute()
    )
}

/// A length of time: the two largest of days, hours, minutes and seconds.
fn length(locale: ReportLocale, seconds: f64) -> String {
    let whole = seconds.round();
    if whole.abs() < 60.0 {
        return format!("{} s", trimmed(locale, seconds, 1));
    }
    let parts = [(86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s")];
    let mut rest = whole.abs();
    let mut told = Vec::new();
    for (size, unit) in parts {
        let count = (rest / size).floor();
        rest -= count * size;
        if count > 0.0 {
            told.push(format!("{} {unit}", number(locale, count, 0)));
        } else if !told.is_empty() {
            break;
        }
        if told.len() == 2 {
            break;
        }
    }
    told.join(" ")
}

/// A measured number in its format. `currency` is that of amounts.
#[must_use]
pub fn measured(locale: ReportLocale, format: FieldFormat, value: f64, currency: Option<&str>) -> String {
    match format {
        FieldFormat::Count | FieldFormat::Days => number(locale, value, 0),
        FieldFormat::Difference => signed(locale, value, 0, SignDisplay::ExceptZero),
        FieldFormat::Score => trimmed(locale, value, 3),
        FieldFormat::Percent => with_percent_sign(locale, &percent(locale, value)),
        FieldFormat::Fraction => with_percent_sign(locale, &percent(locale, value * 100.0)),
        FieldFormat::Millis if value.abs() < 10.0 => format!("{} ms", trimmed(locale, value, 1)),
        FieldFormat::Millis => format!("{} ms", number(locale, value, 0)),
        FieldFormat::Seconds => length(locale, value),
        FieldFormat::Money => {
            let amount = number(locale, value, 2);
            currency.map_or(amount.clone(), |currency| format!("{amount} {currency}"))
        }
        FieldFormat::Number
        | FieldFormat::OfMetric
        | FieldFormat::Text
        | FieldFormat::Word
        | FieldFormat::Module
        | FieldFormat::Flag
        | FieldFormat::Day
        | FieldFormat::Moment => trimmed(locale, value, 2),
    }
}

/// A number with the percent sign, at the distance that the CLDR gives it.
fn with_percent_sign(locale: ReportLocale, number: &str) -> String {
    let space = match locale {
        ReportLocale::En | ReportLocale::Ja => "",
        ReportLocale::De | ReportLocale::Es => "\u{a0}",
        ReportLocale::Fr => "\u{202f}",
    };
    format!("{number}{space}%")
}

/// A share in percent.
fn percent(locale: ReportLocale, share: f64) -> String {
    let most = match share {
        _ if is_near_whole(share) => 3,
        _ if share.abs() < 1.0 => 2,
        _ => 1,
    };
    trimmed(locale, below_whole(share), most)
}

/// Near the whole three decimals tell.
fn is_near_whole(share: f64) -> bool {
    (99.0..100.0).contains(&share)
}

/// A share that is not all never reads as 100: it is cut, not rounded.
fn below_whole(share: f64) -> f64 {
    if !is_near_whole(share) {
        return share;
    }
    let thousandths = share * 1e3;
    // A share that has no more decimals may lie a little below itself where it was a fraction: 0.9901 is 99.01 %.
    let whole = thousandths.round();
    let is_whole = (thousandths - whole).abs() < 1e-6 && whole < 1e5;
    let cut = if is_whole { whole } else { thousandths.floor() };
    cut / 1e3
}

/// How many decimals the values of a column have, so that they stand below each other: as many as the one that needs most. `None`
/// where the format has no decimals, or each value a unit of its own.
#[must_use]
pub fn decimals(format: FieldFormat, values: impl Iterator<Item = f64>) -> Option<usize> {
    let has_decimals = matches!(
        format,
        FieldFormat::Number | FieldFormat::Score | FieldFormat::Percent | FieldFormat::Fraction
    );
    let needed = values.map(|value| {
        let alone = measured(ReportLocale::En, format, value, None);
        let decimals = alone.split_once('.').map_or("", |(_, decimals)| decimals);
        decimals.trim_end_matches('%').len()
    });
    needed.max().filter(|_| has_decimals)
}

/// A value of a column whose values have so many [`decimals`].
#[must_use]
pub fn in_column(
    locale: ReportLocale,
    format: FieldFormat,
    value: Option<&Value>,
    currency: Option<&str>,
    decimals: Option<usize>,
) -> String {
    let (Some(number), Some(decimals)) = (value.and_then(Value::as_f64), decimals) else {
        return self::value(locale, format, value, currency);
    };
    let share = |share| with_percent_sign(locale, &self::number(locale, below_whole(share), decimals));
    match format {
        FieldFormat::Percent => share(number),
        FieldFormat::Fraction => share(number * 100.0),
        _ => self::number(locale, number, decimals),
    }
}

/// A change against the days before, in the unit that people read, with its sign.
#[must_use]
pub fn change(locale: ReportLocale, change: FieldChange, value: f64) -> String {
    in_unit(
        locale,
        change,
        &signed(
            locale,
            above_nothing(change, value),
            CHANGE_DECIMALS,
            SignDisplay::ExceptZero,
        ),
        "pp",
    )
}

/// A change as it is judged: what [`change`] writes as 0 is 0.
pub(super) fn judged(value: f64) -> f64 {
    let written = format!("{value:.CHANGE_DECIMALS$}");
    if written.contains(|digit: char| matches!(digit, '1'..='9')) {
        value
    } else {
        0.0
    }
}

/// How large a change is, without its sign.
#[must_use]
pub fn change_size(locale: ReportLocale, change: FieldChange, value: f64) -> String {
    let decimals = match change {
        FieldChange::Percent(_) | FieldChange::Places(_) => 1,
        FieldChange::Points(_) | FieldChange::Fraction(_) => 2,
    };
    in_unit(
        locale,
        change,
        &number(locale, above_nothing(change, value).abs(), decimals),
        "percentage points",
    )
}

/// A fall that leaves something never reads as one by 100 %: it is cut, not rounded.
fn above_nothing(change: FieldChange, value: f64) -> f64 {
    match change {
        FieldChange::Percent(_) if value > -100.0 => value.max(LARGEST_FALL_PCT),
        _ => value,
    }
}

fn in_unit(locale: ReportLocale, change: FieldChange, number: &str, points: &str) -> String {
    match change {
        FieldChange::Percent(_) => with_percent_sign(locale, number),
        FieldChange::Points(_) | FieldChange::Fraction(_) => format!("{number}\u{a0}{points}"),
        FieldChange::Places(_) => format!("{number}\u{a0}places"),
    }
}

/// A value of a widget's data.
#[must_use]
pub fn value(
    locale: ReportLocale,
    format: FieldFormat,
    value: Option<&Value>,
    currency: Option<&str>,
) -> String {
    match value {
        None | Some(Value::Null) => NOTHING.to_owned(),
        Some(Value::Bool(flag)) => if *flag { "Yes" } else { "No" }.to_owned(),
        Some(Value::Number(number)) => number.as_f64().map_or_else(
            || number.to_string(),
            |number| measured(locale, format, number, currency),
        ),
        Some(Value::String(text)) => spoken(locale, format, text),
        Some(Value::Array(items)) => {
            let items: Vec<String> = items
                .iter()
                .map(|item| self::value(locale, format, Some(item), currency))
                .collect();
            items.join(", ")
        }
        Some(Value::Object(_)) => NOTHING.to_owned(),
    }
}

fn spoken(locale: ReportLocale, format: FieldFormat, text: &str) -> String {
    let spoken = match format {
        FieldFormat::Day => Date::parse(text, format_description!("[year]-[month]-[day]"))
            .ok()
            .map(|at| day(locale, at)),
        FieldFormat::Moment => OffsetDateTime::parse(text, &Rfc3339)
            .ok()
            .map(|at| moment(locale, at)),
        FieldFormat::Word => Some(labels::word(text)),
        FieldFormat::Module => Some(labels::section(text)),
        _ => None,
    };
    spoken.unwrap_or_else(|| text.to_owned())
}

/// A value at an axis, in few characters.
#[must_use]
pub fn at_axis(locale: ReportLocale) -> fn(f64) -> String {
    match locale {
        ReportLocale::En | ReportLocale::Ja => short,
        // Up to three digits before the mark need no other, and there is no group.
        ReportLocale::De | ReportLocale::Fr | ReportLocale::Es => |value| short(value).replace('.', ","),
    }
}

/// [`measured`] of a language and format, as charts take it.
#[must_use]
pub fn of_chart(locale: ReportLocale, format: FieldFormat) -> fn(f64) -> String {
    match locale {
        ReportLocale::En => of_locale::<0>(format),
        ReportLocale::De => of_locale::<1>(format),
        ReportLocale::Fr => of_locale::<2>(format),
        ReportLocale::Es => of_locale::<3>(format),
        ReportLocale::Ja => of_locale::<4>(format),
    }
}

fn of_locale<const LOCALE: usize>(format: FieldFormat) -> fn(f64) -> String {
    match format {
        FieldFormat::Count => |value| measured(ReportLocale::ALL[LOCALE], FieldFormat::Count, value, None),
        FieldFormat::Score => |value| measured(ReportLocale::ALL[LOCALE], FieldFormat::Score, value, None),
        FieldFormat::Percent => {
            |value| measured(ReportLocale::ALL[LOCALE], FieldFormat::Percent, value, None)
        }
        FieldFormat::Fraction => {
            |value| measured(ReportLocale::ALL[LOCALE], FieldFormat::Fraction, value, None)
        }
        FieldFormat::Millis => |value| measured(ReportLocale::ALL[LOCALE], FieldFormat::Millis, value, None),
        FieldFormat::Seconds => {
            |value| measured(ReportLocale::ALL[LOCALE], FieldFormat::Seconds, value, None)
        }
        FieldFormat::Money => |value| measured(ReportLocale::ALL[LOCALE], FieldFormat::Money, value, None),
        _ => |value| measured(ReportLocale::ALL[LOCALE], FieldFormat::Number, value, None),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use time::macros::{date, datetime};

    use super::*;

    /// The marks are those of the CLDR: a narrow no-break space groups digits in French.
    #[test]
    fn numbers_are_written_as_their_readers_do() {
        let table = [
            (ReportLocale::En, "1,234,567.89", "31 Mar 2026"),
            (ReportLocale::De, "1.234.567,89", "31.03.2026"),
            (ReportLocale::Fr, "1\u{202f}234\u{202f}567,89", "31/03/2026"),
            (ReportLocale::Es, "1.234.567,89", "31/03/2026"),
            (ReportLocale::Ja, "1,234,567.89", "2026/03/31"),
        ];
        for (locale, written, on) in table {
            assert_eq!(number(locale, 1_234_567.89, 2), written, "{locale}");
            assert_eq!(day(locale, date!(2026 - 03 - 31)), on, "{locale}");
            let in_charts = of_chart(locale, FieldFormat::Money)(1_234_567.89);
            assert_eq!(in_charts, written, "{locale}");
        }
    }

    #[test]
    fn days_are_told_by_the_first_and_the_last_and_a_day_once() {
        let range = |first, last| DateRange::new(first, last).unwrap();
        let (first, last) = (date!(2026 - 03 - 01), date!(2026 - 03 - 31));
        assert_eq!(
            days(ReportLocale::De, range(first, last)),
            "01.03.2026 – 31.03.2026"
        );
        assert_eq!(days(ReportLocale::Fr, range(last, last)), "31/03/2026");
    }

    #[test]
    fn each_format_says_as_much_as_it_knows() {
        let en = |format, value| measured(ReportLocale::En, format, value, Some("EUR"));
        let table = [
            (FieldFormat::Count, 1_234.0, "1,234"),
            (FieldFormat::Difference, 1_234.0, "+1,234"),
            (FieldFormat::Difference, 0.0, "0"),
            (FieldFormat::Difference, -3.0, "-3"),
            (FieldFormat::Percent, 99.999_9, "99.999%"),
            (FieldFormat::Fraction, 0.990_1, "99.01%"),
            (FieldFormat::Fraction, 0.990_25, "99.025%"),
            (FieldFormat::Fraction, 0.999_999, "99.999%"),
            (FieldFormat::Percent, 100.0, "100%"),
            (FieldFormat::Percent, 41.2, "41.2%"),
            (FieldFormat::Percent, 46.429_996, "46.4%"),
            (FieldFormat::Percent, 0.826, "0.83%"),
            (FieldFormat::Fraction, 0.072, "7.2%"),
            (FieldFormat::Fraction, 0.004, "0.4%"),
            (FieldFormat::Fraction, 1.0, "100%"),
            (FieldFormat::Fraction, 0.0, "0%"),
            (FieldFormat::Millis, 812.5, "812 ms"),
            (FieldFormat::Millis, 2_640.0, "2,640 ms"),
            (FieldFormat::Millis, 0.4, "0.4 ms"),
            (FieldFormat::Score, 0.104, "0.104"),
            (FieldFormat::Score, 0.1, "0.1"),
            (FieldFormat::Seconds, 42.25, "42.2 s"),
            (FieldFormat::Seconds, 186.4, "3 min 6 s"),
            (FieldFormat::Seconds, 90_061.0, "1 d 1 h"),
            (FieldFormat::Seconds, 3_605.0, "1 h"),
            (FieldFormat::Seconds, 0.0, "0 s"),
            (FieldFormat::Money, 12_840.5, "12,840.50 EUR"),
            (FieldFormat::Number, 3.18, "3.18"),
            (FieldFormat::Number, 3.0, "3"),
        ];
        for (format, value, says) in table {
            assert_eq!(en(format, value), says, "{format:?} {value}");
        }
    }

    #[test]
    fn values_of_a_column_have_the_same_decimals() {
        let column = |format, values: &[f64]| -> Vec<String> {
            let decimals = decimals(format, values.iter().copied());
            values
                .iter()
                .map(|value| in_column(ReportLocale::En, format, Some(&json!(value)), None, decimals))
                .collect()
        };
        assert_eq!(
            column(FieldFormat::Percent, &[9.4, 9.0, 100.0]),
            ["9.4%", "9.0%", "100.0%"]
        );
        assert_eq!(column(FieldFormat::Percent, &[9.0, 12.0]), ["9%", "12%"]);
        assert_eq!(
            column(FieldFormat::Percent, &[99.999_9, 41.25]),
            ["99.999%", "41.250%"]
        );
        assert_eq!(column(FieldFormat::Fraction, &[0.094, 0.09]), ["9.4%", "9.0%"]);
        assert_eq!(column(FieldFormat::Score, &[0.1, 0.11]), ["0.10", "0.11"]);
        assert_eq!(column(FieldFormat::Number, &[48.1, 56.25]), ["48.10", "56.25"]);
        assert_eq!(column(FieldFormat::Millis, &[0.4, 812.0]), ["0.4 ms", "812 ms"]);
        let nothing = in_column(ReportLocale::En, FieldFormat::Percent, None, None, Some(1));
        assert_eq!(nothing, NOTHING);
    }

    #[test]
    fn the_percent_sign_stands_as_far_off_as_readers_have_it() {
        let percent = FieldChange::Percent("");
        for (locale, share, rose) in [
            (ReportLocale::En, "41.2%", "+6.1%"),
            (ReportLocale::De, "41,2\u{a0}%", "+6,1\u{a0}%"),
            (ReportLocale::Fr, "41,2\u{202f}%", "+6,1\u{202f}%"),
            (ReportLocale::Es, "41,2\u{a0}%", "+6,1\u{a0}%"),
            (ReportLocale::Ja, "41.2%", "+6.1%"),
        ] {
            assert_eq!(
                measured(locale, FieldFormat::Percent, 41.2, None),
                share,
                "{locale}"
            );
            assert_eq!(change(locale, percent, 6.14), rose, "{locale}");
        }
        assert_eq!(
            change(ReportLocale::De, FieldChange::Places(""), -1.24),
            "-1,2\u{a0}places"
        );
        assert_eq!(
            change(ReportLocale::En, FieldChange::Fraction(""), 1.3),
            "+1.3\u{a0}pp"
        );
        let points = FieldChange::Points("");
        assert_eq!(change(ReportLocale::En, points, -0.8), "-0.8\u{a0}pp");
        assert_eq!(change(ReportLocale::En, percent, 0.0), "0.0%");
        assert_eq!(
            change_size(ReportLocale::De, points, -1.25),
            "1,25\u{a0}percentage points"
        );
    }

    #[test]
    fn a_fall_that_leaves_something_is_not_one_by_all() {
        let percent = FieldChange::Percent("");
        for (fall, says) in [
            (-100.0, "-100.0%"),
            (-99.97, "-99.9%"),
            (-99.94, "-99.9%"),
            (-99.84, "-99.8%"),
        ] {
            assert_eq!(change(ReportLocale::En, percent, fall), says, "{fall}");
            let size = change_size(ReportLocale::En, percent, fall);
            assert_eq!(size, says[1..], "{fall}");
        }
        let points = FieldChange::Points("");
        assert_eq!(change(ReportLocale::En, points, -99.97), "-100.0\u{a0}pp");
    }

    #[test]
    fn axes_have_the_mark_of_the_language() {
        assert_eq!(at_axis(ReportLocale::En)(1_500.0), "1.5k");
        assert_eq!(at_axis(ReportLocale::De)(1_500.0), "1,5k");
        assert_eq!(at_axis(ReportLocale::Fr)(0.25), "0,25");
    }

    #[test]
    fn names_of_the_api_are_read_as_words_and_those_of_sites_as_they_are() {
        let read = |format, name: &str| value(ReportLocale::En, format, Some(&json!(name)), None);
        assert_eq!(read(FieldFormat::Word, "rank_lost"), "Rank lost");
        let page = "https://shop.example/add_to_cart";
        assert_eq!(read(FieldFormat::Word, page), page);
        // An event has the name that its site gave it.
        assert_eq!(read(FieldFormat::Text, "add_to_cart"), "add_to_cart");
    }

    #[test]
    fn values_are_read_off_the_data_as_they_are() {
        let en = |format, given: Value| value(ReportLocale::En, format, Some(&given), None);
        assert_eq!(en(FieldFormat::Count, Value::Null), NOTHING);
        assert_eq!(en(FieldFormat::Day, json!("2026-03-31")), "31 Mar 2026");
        assert_eq!(
            en(FieldFormat::Moment, json!("2026-03-31T09:15:00Z")),
            "31 Mar 2026 09:15 UTC"
        );
        assert_eq!(en(FieldFormat::Text, json!(["eu", "us"])), "eu, us");
        assert_eq!(en(FieldFormat::Flag, json!(true)), "Yes");
        assert_eq!(en(FieldFormat::Text, json!("=1+1")), "=1+1");
        assert_eq!(value(ReportLocale::En, FieldFormat::Count, None, None), NOTHING);
        assert_eq!(
            moment(ReportLocale::Ja, datetime!(2026-03-31 23:59 +2)),
            "2026/03/31 21:59 UTC"
        );
    }
}
