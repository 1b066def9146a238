//! A call of an operation in the languages of those who read its page, with what it requires and nothing else.

use serde_json::Value;

/// The parts of a call of an operation.
pub(super) struct Call<'a> {
    method: &'a str,
    path: &'a str,
    /// The names of the headers that it requires, besides the credential.
    headers: Vec<&'a str>,
    /// The parameters of the query that it requires, each with the name of its value: as many of a list as that has at least.
    query: Vec<(&'a str, String)>,
    /// The example of its body.
    body: Option<String>,
    needs_credential: bool,
}

impl<'a> Call<'a> {
    pub(super) fn of(path: &'a str, method: &'a str, operation: &'a Value) -> Self {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let required: Vec<&Value> = parameters
            .filter(|parameter| parameter["required"] == true)
            .collect();
        let names = |place: &str| {
            let of_place = required.iter().filter(|parameter| parameter["in"] == place);
            of_place
                .filter_map(|parameter| parameter["name"].as_str())
                .collect::<Vec<&str>>()
        };
        let body = operation["requestBody"]["content"]["application/json"].get("example");
        Self {
            method,
            path,
            headers: names("header"),
            query: required.iter().copied().flat_map(values).collect(),
            body: body.map(|example| serde_json::to_string_pretty(example).unwrap_or_default()),
            needs_credential: operation["security"]
                .as_array()
                .is_some_and(|ways| !ways.is_empty()),
        }
    }

    /// The path, each parameter in capital letters between these.
    fn path_with(&self, before: &str, after: &str) -> String {
        let parts: Vec<String> = self
            .path
            .split('/')
            .map(
                |part| match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
                    Some(name) => format!("{before}{}{after}", name.to_uppercase()),
                    None => part.to_owned(),
                },
            )
            .collect();
        parts.join("/")
    }

    /// The shell has the address, the key and the rest as variables.
    pub(super) fn curl(&self) -> String {
        let verb = match self.method {
            "GET" => "--get".to_owned(),
            other => format!("-X {other}"),
        };
        let mut lines = vec![format!(
            "curl -s {verb} \"$PHAROS_URL{}\"",
            self.path_with("$", "")
        )];
        if self.needs_credential {
            lines.push("-H \"Authorization: Bearer $PHAROS_API_KEY\"".to_owned());
        }
        for name in &self.headers {
            lines.push(format!("-H \"{name}: $(uuidgen)\""));
        }
        for (name, value) in &self.query {
            lines.push(format!("--data-urlencode \"{name}=${value}\""));
        }
        if let Some(body) = &self.body {
            lines.push("-H 'Content-Type: application/json'".to_owned());
            lines.push(format!("-d '{}'", body.replace('\'', "'\\''")));
        }
        lines.join(" \\\n  ")
    }

    /// By `fetch`, as Node.js and browsers have it.
    pub(super) fn typescript(&self) -> String {
        let path = self.path_with("${", "}");
        let mut lines = vec![format!(
            "const address = new URL(`${{process.env.PHAROS_URL}}{path}`);"
        )];
        for (name, value) in &self.query {
            lines.push(format!("address.searchParams.append(\"{name}\", {value});"));
        }
        lines.push("const answer = await fetch(address, {".to_owned());
        lines.push(format!("  method: \"{}\",", self.method));
        lines.push("  headers: {".to_owned());
        if self.needs_credential {
            lines.push("    Authorization: `Bearer ${process.env.PHAROS_API_KEY}`,".to_owned());
        }
        for name in &self.headers {
            lines.push(format!("    \"{name}\": crypto.randomUUID(),"));
        }
        if self.body.is_some() {
            lines.push("    \"Content-Type\": \"application/json\",".to_owned());
        }
        lines.push("  },".to_owned());
        if let Some(body) = &self.body {
            lines.push(format!("  body: JSON.stringify({body}),"));
        }
        lines.push("});".to_owned());
        lines.push("console.log(answer.status, await answer.text());".to_owned());
        lines.join("\n")
    }

    /// By httpx.
    pub(super) fn python(&self) -> String {
        let path = self.path_with("{", "}");
        let mut lines = vec!["import os".to_owned()];
        if !self.headers.is_empty() {
            lines.push("import uuid".to_owned());
        }
        lines.push("\nimport httpx\n".to_owned());
        lines.push("answer = httpx.request(".to_owned());
        lines.push(format!("    \"{}\",", self.method));
        lines.push(format!("    f\"{{os.environ['PHAROS_URL']}}{path}\","));
        lines.push("    headers={".to_owned());
        if self.needs_credential {
            lines.push("        \"Authorization\": f\"Bearer {os.environ['PHAROS_API_KEY']}\",".to_owned());
        }
        for name in &self.headers {
            lines.push(format!("        \"{name}\": str(uuid.uuid4()),"));
        }
        if self.body.is_some() {
            lines.push("        \"Content-Type\": \"application/json\",".to_owned());
        }
        lines.push("    },".to_owned());
        if !self.query.is_empty() {
            lines.push(format!("    params=[{}],", self.query_pairs()));
        }
        if let Some(body) = &self.body {
            lines.push(format!("    content=r\"\"\"{body}\"\"\","));
        }
        lines.push(")".to_owned());
        lines.push("print(answer.status_code, answer.text)".to_owned());
        lines.join("\n")
    }

    /// The parameters as pairs of a list, which Python and Rust write alike.
    fn query_pairs(&self) -> String {
        let pairs = self
            .query
            .iter()
            .map(|(name, value)| format!("(\"{name}\", {value})"));
        pairs.collect::<Vec<_>>().join(", ")
    }

    /// By reqwest, as it is without a feature that has to be asked for.
    pub(super) fn rust(&self) -> String {
        let path = self.path_with("{", "}");
        let mut lines = vec![
            "let base = std::env::var(\"PHAROS_URL\")?;".to_owned(),
            format!("let address = format!(\"{{base}}{path}\");"),
        ];
        if !self.query.is_empty() {
            lines.push(format!(
                "let address = reqwest::Url::parse_with_params(&address, &[{}])?;",
                self.query_pairs()
            ));
        }
        lines.push("let answer = reqwest::Client::new()".to_owned());
        lines.push(format!("    .request(reqwest::Method::{}, address)", self.method));
        if self.needs_credential {
            lines.push("    .bearer_auth(std::env::var(\"PHAROS_API_KEY\")?)".to_owned());
        }
        for name in &self.headers {
            lines.push(format!(
                "    .header(\"{name}\", uuid::Uuid::new_v4().to_string())"
            ));
        }
        if let Some(body) = &self.body {
            lines.push("    .header(\"Content-Type\", \"application/json\")".to_owned());
            lines.push(format!("    .body(r##\"{body}\"##)"));
        }
        lines.push("    .send()".to_owned());
        lines.push("    .await?;".to_owned());
        lines.push("println!(\"{} {}\", answer.status(), answer.text().await?);".to_owned());
        lines.join("\n")
    }
}

/// The values of a parameter of the query by their names; none of another.
fn values(parameter: &Value) -> Vec<(&str, String)> {
    let name = match parameter["name"].as_str() {
        Some(name) if parameter["in"] == "query" => name,
        _ => return Vec::new(),
    };
    // JavaScript has a `URL` of its own, by which the address is made.
    let value = match name {
        "url" => "PAGE_URL".to_owned(),
        other => other.to_uppercase(),
    };
    match parameter["schema"]["minItems"].as_u64() {
        Some(least @ 2..) => (1..=least)
            .map(|number| (name, format!("{value}_{number}")))
            .collect(),
        _ => vec![(name, value)],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_has_what_the_operation_requires() {
        let operation = json!({
            "security": [{ "bearer": [] }],
            "parameters": [
                { "name": "thing_id", "in": "path", "required": true },
                { "name": "from", "in": "query", "required": true },
                { "name": "limit", "in": "query" },
                { "name": "Idempotency-Key", "in": "header", "required": true },
            ],
            "requestBody": { "content": { "application/json": { "example": { "name": "Ada's" } } } },
        });
        let call = Call::of("/api/things/{thing_id}", "POST", &operation);
        assert_eq!(
            call.curl(),
            "curl -s -X POST \"$PHAROS_URL/api/things/$THING_ID\" \\\n  \
             -H \"Authorization: Bearer $PHAROS_API_KEY\" \\\n  \
             -H \"Idempotency-Key: $(uuidgen)\" \\\n  \
             --data-urlencode \"from=$FROM\" \\\n  \
             -H 'Content-Type: application/json' \\\n  \
             -d '{\n  \"name\": \"Ada'\\''s\"\n}'"
        );
        let typescript = call.typescript();
        for part in [
            "new URL(`${process.env.PHAROS_URL}/api/things/${THING_ID}`);",
            "address.searchParams.append(\"from\", FROM);",
            "\"Idempotency-Key\": crypto.randomUUID(),",
            "body: JSON.stringify({\n  \"name\": \"Ada's\"\n}),",
        ] {
            assert!(typescript.contains(part), "{part}: {typescript}");
        }
        let python = call.python();
        for part in [
            "f\"{os.environ['PHAROS_URL']}/api/things/{THING_ID}\",",
            "\"Idempotency-Key\": str(uuid.uuid4()),",
            "params=[(\"from\", FROM)],",
            "content=r\"\"\"{\n",
        ] {
            assert!(python.contains(part), "{part}: {python}");
        }
        let rust = call.rust();
        for part in [
            "let address = format!(\"{base}/api/things/{THING_ID}\");",
            "parse_with_params(&address, &[(\"from\", FROM)])?;",
            ".request(reqwest::Method::POST, address)",
            ".body(r##\"{\n",
        ] {
            assert!(rust.contains(part), "{part}: {rust}");
        }
    }

    #[test]
    fn the_url_of_a_page_hides_no_class_of_javascript() {
        let operation = json!({ "parameters": [{ "name": "url", "in": "query", "required": true }] });
        let typescript = Call::of("/api/things", "GET", &operation).typescript();
        for part in ["new URL(", "address.searchParams.append(\"url\", PAGE_URL);"] {
            assert!(typescript.contains(part), "{part}: {typescript}");
        }
    }

    /// With one step alone the call would be refused.
    #[test]
    fn a_list_has_as_many_values_as_it_needs() {
        let operation = json!({
            "parameters": [{ "name": "step", "in": "query", "required": true, "schema": { "minItems": 2 } }],
        });
        let call = Call::of("/api/things", "GET", &operation);
        assert_eq!(
            call.curl(),
            "curl -s --get \"$PHAROS_URL/api/things\" \\\n  \
             --data-urlencode \"step=$STEP_1\" \\\n  \
             --data-urlencode \"step=$STEP_2\""
        );
        assert!(
            call.python()
                .contains("params=[(\"step\", STEP_1), (\"step\", STEP_2)],")
        );
        assert!(
            call.rust()
                .contains("(&address, &[(\"step\", STEP_1), (\"step\", STEP_2)])?;")
        );
    }

    /// Nothing is sent that an operation does not take.
    #[test]
    fn a_read_without_parameters_is_a_plain_one() {
        let operation = json!({ "security": [], "parameters": [] });
        let call = Call::of("/api/things", "GET", &operation);
        assert_eq!(call.curl(), "curl -s --get \"$PHAROS_URL/api/things\"");
        assert!(!call.python().contains("uuid") && !call.python().contains("Authorization"));
        assert!(!call.typescript().contains("body"));
        assert!(!call.rust().contains("bearer_auth") && !call.rust().contains("parse_with_params"));
    }
}
