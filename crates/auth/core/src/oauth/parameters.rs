//! The parameters of a query or a form.
//!
//! One without a value counts as left out, what nobody knows is ignored, and none may stand twice (RFC 6749,
//! section 3.1 and 3.2).

use std::collections::BTreeMap;

use super::error::OauthError;

/// The parameters, decoded.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    values: BTreeMap<String, String>,
    repeated: Vec<String>,
}

impl Parameters {
    /// Reads `application/x-www-form-urlencoded`.
    #[must_use]
    pub fn parse(encoded: &[u8]) -> Self {
        let mut parameters = Self::default();
        for (name, value) in form_urlencoded::parse(encoded) {
            if value.is_empty() {
                continue;
            }
            if parameters.values.contains_key(&*name) {
                parameters.repeated.push(name.into_owned());
            } else {
                parameters.values.insert(name.into_owned(), value.into_owned());
            }
        }
        parameters
    }

    /// The value of `name`, where it stands once.
    ///
    /// # Errors
    /// It stands more than once.
    pub fn optional(&self, name: &str) -> Result<Option<&str>, OauthError> {
        if self.repeated.iter().any(|repeated| repeated == name) {
            return Err(OauthError::invalid_request(format!(
                "{name} stands more than once."
            )));
        }
        Ok(self.values.get(name).map(String::as_str))
    }

    /// The value of `name`.
    ///
    /// # Errors
    /// It is missing, or stands more than once.
    pub fn required(&self, name: &str) -> Result<&str, OauthError> {
        self.optional(name)?
            .ok_or_else(|| OauthError::invalid_request(format!("{name} is missing.")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_values_are_left_out_and_repeated_ones_refused() {
        let parameters = Parameters::parse(b"a=1&b=&c=x%20y+z&a=2&unknown=1&unknown=2");
        assert!(parameters.optional("a").is_err());
        assert_eq!(parameters.optional("b"), Ok(None));
        assert_eq!(parameters.required("c"), Ok("x y z"));
        assert!(parameters.required("d").is_err());
    }
}
