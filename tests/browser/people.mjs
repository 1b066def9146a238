// Walks through what people look after, in a real Chromium: forgotten passwords, the account, keys, members, a workspace, channels, and
// the links that end alert mails. `every.mjs` looks at the pages as they come.
import { at, walk } from "./walk.mjs";

await walk("the pages of people", async ({ page, visitor, go, see, look }) => {
  const workspace = `/console/w/${at.workspace_id}`;

  // Somebody who forgot their password, and learns nothing of who has an account.
  await go(visitor, "/console/forgotten");
  await visitor.getByLabel("E-mail address").fill("nobody@shop.example");
  await visitor.getByRole("button", { name: "Mail me a link" }).click();
  await visitor.getByRole("heading", { name: "Look at your mails" }).waitFor();
  await look(visitor, "forgotten-sent");

  await go(page, "/console/account");
  await page.getByLabel("Present password").fill("not the password");
  await page.getByLabel("New password").fill("another horse battery staple");
  await page.getByLabel("The same again").fill("something else entirely");
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.getByRole("alert").getByText("The two passwords are not the same.").waitFor();
  await look(page, "account-fault");

  // A key: wrong at first, then shown once.
  await go(page, `${workspace}/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("Deployments");
  await page.getByLabel("May be used from").fill("not an address");
  await page.getByRole("button", { name: "Create the key" }).click();
  await page.getByRole("alert").first().waitFor();
  await page.getByText("Single permissions").click();
  await look(page, "key-new-fault");
  await page.getByLabel("May be used from").fill("203.0.113.0/24");
  await page.getByRole("button", { name: "Create the key" }).click();
  await page.getByRole("heading", { name: "The key is there", level: 1 }).waitFor();
  await look(page, "key-once");
  await page.getByRole("link", { name: "Go on to the key" }).click();
  await page.getByRole("heading", { name: "Deployments", level: 1 }).waitFor();
  await page.getByText("Revoke this key").click();
  await look(page, "key");
  await page.getByRole("button", { name: "Make a new secret" }).click();
  await page.getByRole("heading", { name: "The key has a new secret", level: 1 }).waitFor();
  await look(page, "key-rotated");

  // Members: one who is there already, one who is new.
  await go(page, `${workspace}/members/new`);
  await page.getByLabel("E-mail address").fill("reader@example.org");
  await page.getByLabel("Name", { exact: true }).fill("Reader");
  await page.getByRole("button", { name: "Add the person" }).click();
  await page.getByRole("alert").getByText("This person is a member already.").waitFor();
  await look(page, "member-new-fault");
  await page.getByLabel("E-mail address").fill("new@shop.example");
  await page.getByRole("button", { name: "Add the person" }).click();
  await page.getByRole("heading", { name: "The person is a member", level: 1 }).waitFor();
  await look(page, "member-once");
  await go(page, `${workspace}/members/${at.user_id}`);
  await page.getByText("Make them owner in your place").click();
  await page.getByText("Remove from this workspace").click();
  await look(page, "member");

  // The name of the workspace.
  await go(page, `${workspace}/settings`);
  await page.getByLabel("Name", { exact: true }).fill(" ");
  await page.getByRole("button", { name: "Change the name" }).click();
  await page.getByRole("alert").first().waitFor();
  await look(page, "workspace-settings-fault");

  // The form of a channel, and the end of its mails by the link in them.
  await go(page, `/console/channels/${at.id}/edit`);
  await page.getByLabel("Quiet hours").fill("night");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("quiet hours are two times and a time zone").waitFor();
  await look(page, "channel-edit-fault");
  await go(visitor, at.unsubscribe);
  await visitor.getByRole("button", { name: "Send me no more" }).click();
  await visitor.getByRole("heading", { name: "You get no more of these mails" }).waitFor();
  await look(visitor, "alerts-ended");
  await see(page, `/console/channels/${at.id}`, "channel-ended");
});
