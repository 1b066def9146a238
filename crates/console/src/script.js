// Makes the console nicer. Every page works without it.
(() => {
  "use strict";

  // Times in the reader's zone, with UTC beside.
  const clock = { hour: "2-digit", minute: "2-digit" };
  const day = { day: "numeric", month: "short", year: "numeric" };
  const utc = { timeZone: "UTC" };
  for (const time of document.querySelectorAll("time[data-moment]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime()) || at.getTimezoneOffset() === 0) continue;
    const say = (options) => at.toLocaleString("en-GB", options);
    const local = document.createElement("span");
    local.className = "local";
    local.textContent = say({ ...day, ...clock });
    const isSameDay = say(day) === say({ ...day, ...utc });
    time.textContent = `(${say({ ...(isSameDay ? {} : { day: "numeric", month: "short" }), ...clock, ...utc })} UTC)`;
    time.classList.add("utc");
    time.before(local, " ");
  }

  // In a row of links that is wider than the screen, the one to the present page is in sight.
  for (const here of document.querySelectorAll(".tabs [aria-current], .navs [aria-current]")) {
    const row = here.closest(".tabs, .navs");
    const [link, seen] = [here.getBoundingClientRect(), row.getBoundingClientRect()];
    row.scrollLeft += link.left + link.width / 2 - seen.left - seen.width / 2;
  }

  // Buttons that copy.
  for (const button of document.querySelectorAll("button[data-copy]")) {
    const source = document.getElementById(button.dataset.copy);
    if (!source || !navigator.clipboard) continue;
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(source.value ?? source.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Select it and copy";
      }
      setTimeout(() => { button.textContent = label; }, 2000);
    });
  }

  // A form is sent once, however often its button is pressed. Whoever stops a slow page by Escape can send the form again at
  // once. No page is told of the other ways to stop it, so after a while a form can be sent again anyway.
  const AGAIN_AFTER = 10_000;
  const unlock = () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  };
  for (const form of document.querySelectorAll("form[method=post]")) {
    form.addEventListener("submit", (event) => {
      // A form whose answer is shown in a frame leaves the page as it is.
      if (event.submitter?.formTarget) return;
      if (event.timeStamp - form.dataset.sent < AGAIN_AFTER) event.preventDefault();
      else form.dataset.sent = event.timeStamp;
    });
  }
  addEventListener("pageshow", unlock);

  // A preview follows its form, a moment after the last change.
  for (const button of document.querySelectorAll("button[data-preview]")) {
    const show = () => button.form.requestSubmit(button);
    let soon;
    // Texts as they are typed; a choice is told by both in most browsers, and by the latter in all.
    for (const kind of ["input", "change"]) {
      button.form.addEventListener(kind, () => {
        clearTimeout(soon);
        soon = setTimeout(show, 1000);
      });
    }
    show();
  }

  // A menu that is open closes when something else is pressed, or Escape.
  const menus = () => document.querySelectorAll("details.menu[open]");
  addEventListener("click", (event) => {
    for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    unlock();
    for (const menu of menus()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // Tooltips of pictures: at once, by the pointer, and by touch. Those of many places are the rows of the table beside.
  const row = (whole, event) => {
    const table = whole.closest(".picture-box").querySelector("table");
    const { left, width } = whole.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * whole.dataset.rows);
    const { rows } = table.tBodies[0];
    const names = table.tHead.rows[0].cells;
    const cells = rows[Math.min(Math.max(at, 0), rows.length - 1)].cells;
    return [...cells].map((cell, n) => (n ? `${names[n].textContent}: ` : "") + cell.textContent).join("\n");
  };
  let tip;
  const hide = () => tip?.remove();
  for (const picture of document.querySelectorAll("svg.picture")) {
    for (const title of picture.querySelectorAll("rect > title")) {
      title.parentElement.dataset.tip = title.textContent;
      title.remove();
    }
    picture.addEventListener("pointermove", (event) => {
      const whole = event.target.closest?.("[data-rows]");
      const told = whole ? row(whole, event) : event.target.closest?.("[data-tip]")?.dataset.tip;
      if (!told) return hide();
      tip ??= Object.assign(document.createElement("div"), { className: "tip" });
      tip.ariaHidden = "true";
      tip.textContent = told;
      document.body.append(tip);
      const { offsetWidth: wide, offsetHeight: high } = tip;
      const x = Math.min(Math.max(event.clientX - wide / 2, 8), innerWidth - wide - 8);
      const y = event.clientY - high - 12;
      tip.style.left = `${x + scrollX}px`;
      tip.style.top = `${(y < 8 ? event.clientY + 20 : y) + scrollY}px`;
    });
    picture.addEventListener("pointerleave", hide);
  }
})();
