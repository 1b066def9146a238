// From the packages that the lock file pins to the lists that the server carries. With --check nothing is written.
import { readFileSync, writeFileSync } from "node:fs";
import { load } from "js-yaml";

const read = (path) => readFileSync(new URL(`node_modules/${path}`, import.meta.url), "utf8");

const { user_agent_parsers, os_parsers } = load(read("uap-core/regexes.yaml"));
const crawlers = JSON.parse(read("crawler-user-agents/crawler-user-agents.json"));
const made = {
  // Devices are told by rules of our own: the list names models, of which there are too many to keep.
  "user-agents.json": { user_agent_parsers, os_parsers, device_parsers: [] },
  "crawlers.json": crawlers.map(({ pattern }) => pattern),
};
for (const [name, list] of Object.entries(made)) {
  const file = new URL(name, import.meta.url);
  const text = `${JSON.stringify(list)}\n`;
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    console.error(`${name} is not what the packages make; run cargo xtask client-data`);
    process.exitCode = 1;
  }
}
