// The groups of operations in Python, and the arguments by which datamodel-code-generator makes the types that they speak of.
import { documentation, shapes } from "./document.mjs";

const HEAD = '"""Made from docs/openapi.json by sdk/build.mjs."""\n\nfrom __future__ import annotations\n';
const KEYWORDS = ["class", "from", "import", "global", "in", "is", "not", "or", "and", "if", "for", "with", "as", "def"];
const PLAIN = { string: "str", integer: "int", number: "float", boolean: "bool" };

const className = (tag) => tag[0].toUpperCase() + tag.slice(1);
const identifier = (name) => (KEYWORDS.includes(name) ? `${name}_` : name);
const constant = (words, tag) => [tag, ...words].join("_").toUpperCase();
const text = (value) => JSON.stringify(value);

function type(schema) {
  if (schema.$ref) return `t.${schema.$ref.split("/").pop()}`;
  if (schema.enum) return `Literal[${schema.enum.map(text).join(", ")}]`;
  if (schema.type === "array") return `Sequence[${type(schema.items)}]`;
  if (PLAIN[schema.type]) return PLAIN[schema.type];
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}

function docstring(operation) {
  const [summary, ...rest] = documentation(operation).map((part) => part.replaceAll("\\", "\\\\").replaceAll('"""', "'''"));
  const parameters = operation.query.map(({ name, description }) => `    ${identifier(name)}: ${description}`);
  const paragraphs = [...rest, ...(parameters.length ? [`Args:\n${parameters.join("\n")}`] : [])];
  const lines = paragraphs.join("\n\n").split("\n").map((line) => (line ? `        ${line}` : ""));
  return `        """${summary}\n\n${lines.join("\n")}\n        """`;
}

function method(operation, isAsync) {
  const { tag, words, pathParameters, query, body, result, list, isKeyed } = operation;
  const parameter = ({ name, required, schema }) =>
    `${identifier(name)}: ${type(schema)}${required ? "" : " | None = None"}`;
  const needed = [...query].sort((one, other) => Number(other.required ?? false) - Number(one.required ?? false));
  const keywords = [...needed.map(parameter), ...(isKeyed ? ["idempotency_key: str | None = None"] : [])];
  const signature = [
    "self",
    ...pathParameters.map((name) => `${name}: str`),
    ...(keywords.length ? ["*", ...keywords] : []),
    ...(body ? [`**body: Unpack[t.${body}]`] : []),
  ];
  const pages = `${isAsync ? "AsyncPages" : "Pages"}[t.${result}, t.${list?.item}]`;
  const answer = list ? pages : `t.${result}`;
  const sent = [
    ...(query.length ? [`query={${query.map(({ name }) => `${text(name)}: ${identifier(name)}`).join(", ")}}`] : []),
    ...(body ? ["body=body"] : []),
    ...(isKeyed ? ["idempotency_key=idempotency_key"] : []),
  ];
  const call = `self._caller.${list ? "pages" : "call"}(${[
    `operations.${constant(words, tag)}`,
    `[${pathParameters.join(", ")}]`,
    ...sent,
  ].join(", ")})`;
  const isAwaited = isAsync && !list;
  return [
    `    ${isAwaited ? "async " : ""}def ${words.join("_")}(${signature.join(", ")}) -> ${answer}:`,
    docstring(operation),
    `        return ${list ? call : `cast("t.${result}", ${isAwaited ? "await " : ""}${call})`}`,
  ].join("\n");
}

function groupsFile(groups, tags, isAsync) {
  const prefix = isAsync ? "Async" : "";
  const described = (tag) => tags.find(({ name }) => name === tag)?.description ?? `The group ${tag}.`;
  const classes = groups.map(({ tag, operations }) =>
    [
      `class ${prefix}${className(tag)}:\n    """${described(tag)}"""`,
      `    def __init__(self, caller: ${prefix}Caller) -> None:\n        self._caller = caller`,
      ...operations.map((operation) => method(operation, isAsync)),
    ].join("\n\n"),
  );
  const all = [
    `class ${prefix}Groups:\n    """Every operation, by group."""`,
    [
      `    def __init__(self, caller: ${prefix}Caller) -> None:`,
      ...groups.map(({ tag }) => `        self.${tag} = ${prefix}${className(tag)}(caller)`),
    ].join("\n"),
  ].join("\n\n");
  const imports = [
    "from typing import TYPE_CHECKING, cast",
    "",
    "from . import operations",
    "",
    "if TYPE_CHECKING:",
    "    from collections.abc import Sequence",
    "    from typing import Literal",
    "",
    "    from typing_extensions import Unpack",
    "",
    `    from .._http import ${prefix}Caller`,
    `    from .._pages import ${prefix}Pages`,
    "    from .. import types as t",
  ].join("\n");
  return `${HEAD}\n${[imports, ...classes, all].join("\n\n\n")}\n`;
}

function operationsFile(groups) {
  const lines = groups.flatMap(({ operations }) =>
    operations.map(({ tag, words, id, method, path, isRepeatable, isKeyed, list }) => {
      const truth = (value) => (value ? "True" : "False");
      const values = [
        ...[text(id), text(method), text(path)],
        `is_repeatable=${truth(isRepeatable)}`,
        ...(isKeyed ? ["is_keyed=True"] : []),
        ...(list?.total ? [`total=${text(list.total)}`] : []),
      ];
      return `${constant(words, tag)} = Operation(${values.join(", ")})`;
    }),
  );
  return `${HEAD}\nfrom .._operation import Operation\n\n${lines.join("\n")}\n`;
}

/** The files of Python, by name. */
export function operationsFiles(groups, tags) {
  return {
    "__init__.py": "",
    "operations.py": operationsFile(groups),
    "groups.py": groupsFile(groups, tags, false),
    "async_groups.py": groupsFile(groups, tags, true),
  };
}

/** The arguments with which Python makes the types of all schemas, which it reads from its input. */
export function typesArguments(file) {
  return [
    ...["-m", "datamodel_code_generator", "--input-file-type", "openapi", "--output", file],
    ...["--output-model-type", "typing.TypedDict", "--target-python-version", "3.10"],
    ...["--use-standard-collections", "--use-union-operator", "--enum-field-as-literal", "all"],
    ...["--use-schema-description", "--use-field-description"],
    ...["--no-use-closed-typed-dict", "--disable-timestamp", "--formatters", "builtin"],
  ];
}
