//! The body as JSON.

use pharos_domain::settings::SettingFault;
use serde_json::{Map, Value};

/// The members of a body. It is UTF-8 (RFC 8259, section 8.1), at most 128 levels deep, and its numbers are finite.
///
/// # Errors
/// The one fault of a body that is no JSON object.
pub fn parse(body: &[u8]) -> Result<Map<String, Value>, Vec<SettingFault>> {
    let refuse = |detail: String| vec![SettingFault::new("", detail)];
    let text = std::str::from_utf8(body).map_err(|_| refuse("not UTF-8".to_owned()))?;
    match serde_json::from_str(text) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(refuse("not a JSON object".to_owned())),
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            Err(refuse(format!("not JSON: see line {line}, column {column}")))
        }
    }
}
