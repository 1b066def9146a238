// Reads the API's document for the SDKs: its operations with the names that they have in code, and its schemas.

const METHODS = ["get", "put", "post", "delete"];
/** Apps sign in by a library for OAuth; the SDKs take the token that comes of it. */
const LEFT_OUT = "oauth";
/** Lists of which each has its items in `items`. */
const PAGINGS = ["single", "cursor", "offset"];

const nameOf = (schema) => schema.$ref?.split("/").pop();
const capitalized = (word) => word[0].toUpperCase() + word.slice(1);

/**
 * The name of a method in its group, by words: `getUptimeStatus` in `uptime` is get, status. The group's own word goes where a
 * word follows it, or the verb alone stands before it.
 */
export function methodWords(operationId, tag) {
  const words = operationId.split(/(?=[A-Z])/);
  const singular = tag.replace(/s$/, "");
  const at = words.findIndex((word, index) => index > 0 && [capitalized(tag), capitalized(singular)].includes(word));
  if (at === 1 || (at > 1 && at < words.length - 1)) words.splice(at, 1);
  return words.map((word) => word.toLowerCase());
}

export function camelCase(words) {
  return words.map((word, index) => (index ? capitalized(word) : word)).join("");
}

/** Every member of a schema, with those of the schemas that it is made of. */
function members(schemas, schema) {
  const found = schema.$ref ? schemas[nameOf(schema)] : schema;
  const parts = (found.allOf ?? []).map((part) => members(schemas, part));
  return Object.assign({}, ...parts, found.properties);
}

/** The schema of a list's items, and the member that says how many there are in all. */
function list(schemas, operation, result) {
  const paging = operation["x-paging"].split(":")[0];
  if (!PAGINGS.includes(paging)) return undefined;
  const page = members(schemas, schemas[result]);
  const total = paging === "offset" && Object.keys(page).filter((name) => name.startsWith("total_"));
  if (total && total.length !== 1) throw new Error(`${operation.operationId}: which of ${total} is the total?`);
  return { paging, item: nameOf(page.items.items), total: total ? total[0] : undefined };
}

function operationOf(schemas, path, method, operation) {
  const { operationId: id, parameters, requestBody } = operation;
  const [tag] = operation.tags;
  const status = Object.keys(operation.responses).find((status) => status.startsWith("2"));
  const result = nameOf(operation.responses[status].content["application/json"].schema);
  const isKeyed = parameters.some((parameter) => parameter.name === "Idempotency-Key");
  const within = (place) => parameters.filter((parameter) => parameter.in === place);
  return {
    id,
    tag,
    words: methodWords(id, tag),
    method: method.toUpperCase(),
    path,
    pathParameters: within("path").map(({ name }) => name),
    query: within("query"),
    body: requestBody && nameOf(requestBody.content["application/json"].schema),
    isBodyRequired: requestBody?.required ?? false,
    result,
    list: list(schemas, operation, result),
    isKeyed,
    // Whether it does no harm to send it again when nobody knows what became of it.
    isRepeatable: isKeyed || method !== "post" || (operation["x-scope"] ?? "").startsWith("read:"),
    summary: operation.summary,
    description: operation.description,
    price: operation["x-credits"],
    scope: operation["x-scope"],
  };
}

/** The operations of a document, by group. */
export function groups(document) {
  const { schemas } = document.components;
  const groups = new Map();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of METHODS.filter((method) => methods[method])) {
      const operation = methods[method];
      if (operation.tags[0] === LEFT_OUT) continue;
      const made = operationOf(schemas, path, method, operation);
      const group = groups.get(made.tag) ?? new Map();
      const name = made.words.join(" ");
      if (group.has(name)) throw new Error(`${made.id} and ${group.get(name).id} have one name: ${name}`);
      groups.set(made.tag, group.set(name, made));
    }
  }
  return [...groups].map(([tag, group]) => ({ tag, operations: [...group.values()] }));
}

/** The same document without what types are not made of, such as answers, which every operation repeats. */
export function shapes(document) {
  const paths = {};
  for (const { operations } of groups(document)) {
    for (const { path, method, id, query } of operations) {
      paths[path] ??= {};
      paths[path][method.toLowerCase()] = {
        operationId: id,
        parameters: query,
        responses: { 200: { description: "Success." } },
      };
    }
  }
  const { openapi, info } = document;
  return { openapi, info, paths, components: { schemas: document.components.schemas } };
}

/** The paragraphs of a method's documentation. */
export function documentation({ summary, description, method, path, price, scope, isKeyed }) {
  const facts = [
    `\`${method} ${path.replace("/api/public/v1", "")}\``,
    price === 1 ? "1 credit" : `${price} credits`,
    ...(scope ? [`scope ${scope}`] : []),
    ...(isKeyed ? ["takes an Idempotency-Key, which each call makes for itself"] : []),
  ];
  return [`${summary}.`, ...(description ? [description] : []), `${facts.join(", ")}.`];
}
