// The groups of operations in TypeScript, and the types that they speak of.
import openapiTS, { astToString } from "openapi-typescript";
import { camelCase, documentation, shapes } from "./document.mjs";

const HEAD = "// Made from docs/openapi.json by sdk/build.mjs.\n";
const className = (tag) => tag[0].toUpperCase() + tag.slice(1);
const positional = (parameter) => camelCase(parameter.split("_"));

const parametersName = (id) => `${id[0].toUpperCase()}${id.slice(1)}Params`;

function comment(paragraphs, indent) {
  const text = paragraphs.join("\n\n").replaceAll("*/", "*\\/");
  const lines = text.split("\n").map((line) => `${indent} * ${line}`.trimEnd());
  return [`${indent}/**`, ...lines, `${indent} */`].join("\n");
}

function method(operation) {
  const { id, words, method, path, pathParameters, query, body, isBodyRequired, result, list, isKeyed, isRepeatable } =
    operation;
  const ids = pathParameters.map((parameter) => `${positional(parameter)}: string`);
  const isNeeded = body ? isBodyRequired : query.some((parameter) => parameter.required);
  const type = body ? `s.${body}` : parametersName(id);
  const params = body || query.length ? [`params: ${type}${isNeeded ? "" : " = {}"}`] : [];
  const options = `options: ${isKeyed ? "RunOptions" : "CallOptions"} = {}`;
  const answer = list ? `Pages<s.${result}, s.${list.item}>` : `Promise<s.${result}>`;
  const spec = {
    id,
    method,
    path,
    isRepeatable,
    ...(isKeyed && { isKeyed }),
    ...(list && { paging: list.paging }),
    ...(list?.total && { total: list.total }),
  };
  const sent = body ? "{ body: params }" : query.length ? "{ query: params }" : "{}";
  return [
    comment(documentation(operation), "  "),
    `  ${camelCase(words)}(${[...ids, ...params, options].join(", ")}): ${answer} {`,
    `    const operation = ${JSON.stringify(spec)} as const;`,
    `    return this.#caller.${list ? "list" : "call"}(operation, [${pathParameters.map(positional).join(", ")}], ${sent}, options);`,
    "  }",
  ].join("\n");
}

/** The names of the parameters of queries. */
function parameterTypes(groups) {
  const asked = groups.flatMap(({ operations }) => operations).filter(({ query, body }) => query.length && !body);
  return asked
    .map(({ id }) => `export type ${parametersName(id)} = NonNullable<s.operations["${id}"]["parameters"]["query"]>;`)
    .join("\n");
}

/** The classes of all groups, and the members by which a client has them. */
export function operationsFile(groups, tags) {
  const described = (tag) => tags.find(({ name }) => name === tag)?.description;
  const classes = groups.map(({ tag, operations }) =>
    [
      ...(described(tag) ? [comment([described(tag)], "")] : []),
      `export class ${className(tag)} {`,
      "  readonly #caller: Caller;",
      "",
      "  constructor(caller: Caller) {",
      "    this.#caller = caller;",
      "  }",
      "",
      operations.map(method).join("\n\n"),
      "}",
    ].join("\n"),
  );
  const all = [
    comment(["Every operation, by group."], ""),
    "export class Groups {",
    ...groups.map(({ tag }) => `  readonly ${tag}: ${className(tag)};`),
    "",
    "  constructor(caller: Caller) {",
    ...groups.map(({ tag }) => `    this.${tag} = new ${className(tag)}(caller);`),
    "  }",
    "}",
  ].join("\n");
  const imports = [
    'import type { CallOptions, Caller, RunOptions } from "../caller.js";',
    'import type { Pages } from "../pages.js";',
    'import type * as s from "./schemas.js";',
  ].join("\n");
  return `${HEAD}${[imports, parameterTypes(groups), ...classes, all].join("\n\n")}\n`;
}

/** The types of all schemas, by their names. */
export async function schemasFile(document) {
  const tree = await openapiTS(shapes(document), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A member with a default may be left out all the same.
    defaultNonNullable: false,
  });
  return HEAD + astToString(tree);
}
