// Makes the call of an operation's page. The key is in its field and in the header of the call, and nowhere else.
(() => {
  "use strict";

  const part = (name) => document.getElementById(`try-${name}`);
  const [form, without, key, body, send] = ["form", "without", "key", "body", "send"].map(part);
  const [answer, status, text] = ["answer", "status", "text"].map(part);
  if (!form) return;
  without.hidden = true;
  form.hidden = false;

  /** The headers of an answer that are told of. */
  const TOLD = ["X-Request-Id", "X-Credits-Cost", "X-RateLimit-Remaining", "Retry-After", "Idempotent-Replayed"];

  const fields = [...form.querySelectorAll("[data-in]")];
  const random = () =>
    [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  /** Another call has another key of its own. */
  const renew = () => {
    for (const field of fields) if (field.dataset.name === "Idempotency-Key") field.value = random();
  };
  renew();

  /** The address and the headers of the call, by what stands in the fields. An empty one is left out. */
  const call = () => {
    let path = form.dataset.path;
    const query = new URLSearchParams();
    const headers = new Headers({ Authorization: `Bearer ${key.value.trim()}` });
    if (body) headers.set("Content-Type", "application/json");
    for (const field of fields) {
      const { in: place, name, each } = field.dataset;
      const lines = each === undefined ? [field.value] : field.value.split("\n");
      for (const value of lines.map((line) => line.trim()).filter((line) => line !== "")) {
        if (place === "path") {
          // Nothing escapes these: they would lead to another operation.
          if (value === "." || value === "..") throw new Error(`${name} is no “${value}”.`);
          path = path.split(`{${name}}`).join(encodeURIComponent(value));
        } else if (place === "query") query.append(name, value);
        else headers.set(name, value);
      }
    }
    const asked = query.toString();
    return [asked === "" ? path : `${path}?${asked}`, headers];
  };

  const pretty = (said) => {
    try {
      return JSON.stringify(JSON.parse(said), null, 2);
    } catch {
      return said;
    }
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    answer.hidden = false;
    status.textContent = "Waiting for the answer …";
    text.textContent = "";
    try {
      const [address, headers] = call();
      const reply = await fetch(address, {
        method: form.dataset.method,
        headers,
        body: body?.value,
        cache: "no-store",
        credentials: "omit",
        referrerPolicy: "no-referrer",
      });
      const said = await reply.text();
      const told = TOLD.filter((name) => reply.headers.has(name)).map((name) => `${name}: ${reply.headers.get(name)}`);
      status.textContent = [`Status ${reply.status}`, ...told].join(" · ");
      text.textContent = pretty(said);
      renew();
    } catch (error) {
      status.textContent = `There was no answer: ${error.message}`;
    }
    send.disabled = false;
  });
})();
