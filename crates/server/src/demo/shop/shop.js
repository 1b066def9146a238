// Reports the events of a page to the tracker, and breaks the page on purpose, so that a demo has errors and slow clicks.

/** Tells of a step of a sale by the names of GA4. */
function tell(name, { dataset: { item, value, order } }) {
  pharos("event", name, {
    ...(order ? { transaction_id: order } : {}),
    value: Number(value),
    currency: "USD",
    items: [JSON.parse(item)],
  });
}

const shown = document.querySelector("[data-event]");
if (shown) tell(shown.dataset.event, shown);
for (const form of document.querySelectorAll("[data-submit]")) {
  form.addEventListener("submit", () => tell(form.dataset.submit, shown));
}

// A note that comes late, and has no room kept for it.
const notice = document.getElementById("notice");
if (notice) {
  setTimeout(() => {
    notice.className = "notice";
    notice.textContent = "Free delivery this week.";
  }, 900);
}

// A click that takes long.
document.getElementById("voucher")?.addEventListener("click", function checkVoucher({ target }) {
  for (const end = performance.now() + 300; performance.now() < end; );
  ask("/api/voucher").then((found) => (target.textContent = found?.text ?? "Try again later"));
});

// A feature that nobody finished.
document.getElementById("chat").addEventListener("click", function openChat() {
  throw new TypeError("The chat is not connected");
});

// How many of a product there are, which the server is too busy to say at times.
const stock = document.getElementById("stock");
if (stock) {
  ask(`/api/stock?item=${stock.dataset.item}`).then((found) => {
    stock.textContent = found ? `${found.left} in stock` : "Ask us whether it is in stock";
  });
}

/** The answer of the shop; undefined where it has none. */
async function ask(path) {
  try {
    const answer = await fetch(path);
    // Chromium records no request whose answer nobody reads.
    const text = await answer.text();
    return answer.ok ? JSON.parse(text) : undefined;
  } catch {
    // Whoever leaves the page waits for nothing.
    return undefined;
  }
}
