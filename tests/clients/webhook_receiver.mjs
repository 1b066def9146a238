// Receives webhooks, and takes those alone that are signed with our secret.

import { createServer } from "node:http";

import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let event;
  try {
    event = webhook.verify(Buffer.concat(chunks), request.headers);
  } catch {
    response.writeHead(400).end();
    return;
  }
  response.writeHead(204).end();
  // The answer is on its way: whatever takes long comes after it.
  console.log(JSON.stringify(event));
});

server.listen(Number(process.env.PORT), "127.0.0.1");
