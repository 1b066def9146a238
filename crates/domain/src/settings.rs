//! Changes of settings: their faults, all told at once, and the reasons why a change was not made.

use std::{
    fmt::{self, Display},
    ops::RangeInclusive,
};

use thiserror::Error;

use crate::{credits::SettleError, quota::QuotaExhausted, store::StoreError};

/// A pure function from the present settings (`None`: there are none yet) to the next. The store calls it in the
/// transaction of the change.
pub type SettingsChange<'a, S> = dyn Fn(Option<&S>) -> Result<S, Vec<SettingFault>> + Send + Sync + 'a;

/// A setting that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingFault {
    /// The setting at fault, as a JSON Pointer into the body of a configuration.
    pub pointer: String,
    /// The fault in words, for the caller.
    pub detail: String,
    /// The other settings that it contradicts.
    pub beside: Vec<String>,
    /// Whether it lies in the setting's name, which the caller chose, and not in its value.
    pub is_of_name: bool,
}

impl SettingFault {
    /// A fault of a setting, or of all (`pointer` is empty), that contradicts no other.
    pub fn new(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            detail: detail.into(),
            beside: Vec::new(),
            is_of_name: false,
        }
    }
}

/// Why a change was not made. Nothing was changed, and nothing was charged.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// The settings would not be in order.
    #[error("the settings have faults: {}", Pointers(.0))]
    Faults(Vec<SettingFault>),
    /// The plan has no room for one more.
    #[error(transparent)]
    Quota(#[from] QuotaExhausted),
    /// The change was not settled.
    #[error(transparent)]
    Unsettled(#[from] SettleError),
}

impl From<StoreError> for ChangeError {
    fn from(error: StoreError) -> Self {
        Self::Unsettled(error.into())
    }
}

struct Pointers<'a>(&'a [SettingFault]);

impl Display for Pointers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointers = self.0.iter().map(|fault| fault.pointer.as_str());
        f.write_str(&pointers.collect::<Vec<_>>().join(", "))
    }
}

/// Collects the faults of settings. Members are named as in the object that is looked at; [`Faults::within`] goes into one.
#[derive(Debug, Default)]
pub struct Faults {
    found: Vec<SettingFault>,
    path: String,
}

impl Faults {
    /// A member that can't be.
    pub fn add(&mut self, member: impl Display, detail: impl Into<String>) {
        self.contradiction(member, &[], detail);
    }

    /// A member whose name, which the caller chose, can't be. Its value may have a fault besides.
    pub fn of_name(&mut self, member: impl Display, detail: impl Into<String>) {
        let fault = SettingFault::new(self.pointer(member), detail);
        self.found.push(SettingFault {
            is_of_name: true,
            ..fault
        });
    }

    /// A member that goes by itself, but not with these.
    pub fn contradiction(&mut self, member: impl Display, beside: &[&str], detail: impl Into<String>) {
        let fault = SettingFault::new(self.pointer(member), detail);
        self.found.push(SettingFault {
            beside: beside.iter().map(|other| self.pointer(other)).collect(),
            ..fault
        });
    }

    /// A whole number out of its bounds, which the schema of the member has too.
    pub fn in_range(&mut self, member: impl Display, number: u32, bounds: RangeInclusive<u32>) {
        if !bounds.contains(&number) {
            let (least, most) = bounds.into_inner();
            self.add(member, format!("a whole number of {least} to {most}"));
        }
    }

    /// Judges within a member of an object, or an item of a list by its place: faults found there get its pointer.
    pub fn within(&mut self, member: impl Display, judge: impl FnOnce(&mut Self)) {
        let outside = self.path.len();
        self.path = self.pointer(member);
        judge(self);
        self.path.truncate(outside);
    }

    /// The faults, or the result of `sound` where there are none.
    ///
    /// # Errors
    /// All faults that were found.
    pub fn or<T>(self, sound: impl FnOnce() -> T) -> Result<T, Vec<SettingFault>> {
        if self.found.is_empty() {
            Ok(sound())
        } else {
            Err(self.found)
        }
    }

    /// The pointer of a member, escaped as RFC 6901 has it.
    fn pointer(&self, member: impl Display) -> String {
        let member = member.to_string().replace('~', "~0").replace('/', "~1");
        format!("{}/{member}", self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_all_at_once_by_the_path_of_their_member() {
        let mut faults = Faults::default();
        faults.in_range("timeout_seconds", 61, 2..=60);
        faults.in_range("interval_seconds", 60, 2..=60);
        faults.within("windows", |faults| {
            faults.within(3, |faults| {
                faults.contradiction("ends_at", &["starts_at"], "not after starts_at");
            });
            faults.add(4, "given more than once");
        });
        faults.within("headers", |faults| faults.add("a/b~c", "not a header name"));
        let found = faults.or(|| ()).unwrap_err();
        let pointers: Vec<&str> = found.iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(
            pointers,
            [
                "/timeout_seconds",
                "/windows/3/ends_at",
                "/windows/4",
                "/headers/a~1b~0c"
            ]
        );
        assert_eq!(found[0].detail, "a whole number of 2 to 60");
        assert_eq!(found[1].beside, ["/windows/3/starts_at"]);
        let told = ChangeError::Faults(found).to_string();
        assert!(told.ends_with("/windows/4, /headers/a~1b~0c"), "{told}");
        assert_eq!(Faults::default().or(|| 7), Ok(7));
    }
}
