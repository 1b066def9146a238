//! The conditions that tests are done under, which move scores without any change of the page.

use serde::{Deserialize, Serialize};

use crate::result::Summary;

/// A machine that has less than this share of the speed is told as slower. Two loads on one machine lie closer together.
const SLOWER_BELOW: f64 = 0.75;
/// Below this benchmark index a machine is slower than Lighthouse reckons with, and throttling makes it slower still: its scores
/// of performance are too low. It is the bound from which on Lighthouse warns at the command line.
pub const SLOW_BELOW: f64 = 1_000.0;

/// The conditions of a test, or of those before it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// The version of Lighthouse; of several tests that of the newest.
    pub engine_version: Option<String>,
    /// How fast the machine was that measured; of several tests the median: one slow moment does not move it, and a machine
    /// that slows down bit by bit falls behind it.
    pub benchmark_index: Option<f64>,
}

impl Conditions {
    /// How those of a test differ from these, of the tests before, and whether its own spoil the scores, in sentences for people.
    #[must_use]
    pub fn warnings(&self, test: &Summary) -> Vec<String> {
        let mut warnings = Vec::new();
        if let (Some(before), Some(now)) = (&self.engine_version, &test.engine_version)
            && are_of_two_majors(before, now)
        {
            warnings.push(format!(
                "Lighthouse {now} measured the page, and {before} the time before: another major version may weigh scores \
                 otherwise."
            ));
        }
        if let (Some(before), Some(now)) = (self.benchmark_index, test.benchmark_index)
            && now < before * SLOWER_BELOW
        {
            warnings.push(format!(
                "The machine that measured was slower than those of the tests before: its benchmark index was {now:.0}, not \
                 {before:.0}. That alone may have lowered the score of performance."
            ));
        }
        if let Some(now) = test.benchmark_index
            && now < SLOW_BELOW
            && test.runtime_error.is_none()
        {
            warnings.push(format!(
                "The machine that measured was slow, or busy: its benchmark index was {now:.0}, and below {SLOW_BELOW:.0} the score \
                 of performance is too low to be trusted."
            ));
        }
        warnings
    }
}

/// Whether two versions of Lighthouse may weigh scores otherwise.
#[must_use]
pub fn are_of_two_majors(one: &str, other: &str) -> bool {
    major(one) != major(other)
}

fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or(version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lhr;

    #[test]
    fn another_major_version_and_a_slower_machine_are_told() {
        let before = |version: &str, index| Conditions {
            engine_version: Some(version.to_owned()),
            benchmark_index: Some(index),
        };
        let test = lhr::read(br#"{"lighthouseVersion":"13.5.0","environment":{"benchmarkIndex":1500}}"#);
        let test = test.unwrap().summary;
        assert_eq!(before("13.0.1", 1_900.0).warnings(&test), [""; 0]);
        assert_eq!(Conditions::default().warnings(&test), [""; 0]);
        let told = before("12.8.2", 2_100.0).warnings(&test);
        assert_eq!(told.len(), 2);
        assert!(
            told[0].contains("13.5.0") && told[0].contains("12.8.2"),
            "{told:?}"
        );
        assert!(told[1].contains("1500, not 2100"), "{told:?}");
    }

    #[test]
    fn a_slow_machine_is_told_at_the_first_test() {
        let warnings = |index: &str, error: &str| {
            let test = format!(
                r#"{{"environment":{{"benchmarkIndex":{index}}},"runtimeError":{{"code":"{error}"}}}}"#
            );
            Conditions::default().warnings(&lhr::read(test.as_bytes()).unwrap().summary)
        };
        let told = warnings("999.4", "");
        assert_eq!(told.len(), 1);
        assert!(told[0].contains("was 999, and below 1000"), "{told:?}");
        assert_eq!(warnings("1000", ""), [""; 0]);
        assert_eq!(warnings("400", "NO_FCP"), [""; 0], "there is no score");
    }
}
