// One Lighthouse run, in a process group of its own. The order is a line of JSON on stdin; the result goes to stdout.
//
// Whoever gave the order keeps stdin open for as long as it lives: when that ends, everything here ends, too, and nothing is
// left behind, whatever became of it.

import {spawn} from 'node:child_process';
import {existsSync, lstatSync, readFileSync, readdirSync, rmSync, rmdirSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as sleep} from 'node:timers/promises';
import {pathToFileURL} from 'node:url';

/** How long Chromium may take to listen. */
const LISTENS_WITHIN_MS = 30_000;
/** How long the processes of a Chromium that was killed may take to end, and how often that is looked at. */
const GONE_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 200;
/** How often it is looked at how much memory and disk are taken. */
const WEIGH_EVERY_MS = 500;
/** How long the end of Chromium may take to be told, after the end of the connection to it was. */
const TELLS_ITS_END_WITHIN_MS = 1_000;

/** Chromium, once it was started. */
let browser;
/** Nobody waits for the result any more: whatever fails from now on, what was written is removed first. */
let isAbandoned = false;
/** There is a result, or a reason why there is none: whatever fails from now on changes nothing. */
let isTold = false;

const order = await new Promise((resolve, reject) => {
  const lines = createInterface({input: process.stdin});
  lines.once('line', (line) => resolve(JSON.parse(line)));
  lines.once('close', () => {
    reject(new Error('there was no order'));
    abandon();
  });
});

/** Ends the whole group, this process included. */
function end() {
  process.kill(-process.pid, 'SIGKILL');
}
// Once nobody reads, what is written fails: were that an error of its own, to tell of it would be the next one, without an end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => {});
}
// Lighthouse leaves errors to nobody as well, such as that of a page that goes to another while it is measured.
process.on('uncaughtException', (error) => {
  console.error(error);
  fail(error);
});

/** What lies in the folder, which may be gone. */
function entries() {
  try {
    return readdirSync(order.folder);
  } catch {
    return [];
  }
}

/** Removes what was written, as far as nobody writes there now. */
function removeFolder() {
  try {
    // The folder itself may lie in one of another account, where it cannot be removed: what is within must go nevertheless.
    for (const name of entries()) {
      rmSync(join(order.folder, name), {recursive: true, force: true});
    }
    rmdirSync(order.folder);
  } catch (error) {
    console.error(error);
  }
}

/** Ends the group when nobody waits for the result any more, and removes what it wrote: nobody else will. */
async function abandon() {
  isAbandoned = true;
  try {
    browser?.kill('SIGKILL');
    // Its processes end a while after it, and may write until then, so the folder may be there again.
    const deadline = Date.now() + GONE_WITHIN_MS;
    do {
      await sleep(LOOK_EVERY_MS);
      removeFolder();
      await sleep(LOOK_EVERY_MS);
    } while (entries().length > 0 && Date.now() < deadline);
  } finally {
    end();
  }
}
process.on('SIGTERM', abandon);

const {resolve} = createRequire(join(order.lighthouse, 'package.json'));
const load = (name) => import(pathToFileURL(resolve(name)));
const [{default: lighthouse}, {default: puppeteer}] = await Promise.all([load('lighthouse'), load('puppeteer-core')]);

browser = spawn(order.chromium, [
  '--headless=new',
  `--user-data-dir=${join(order.folder, 'profile')}`,
  '--remote-debugging-port=0',
  // Whatever the browser asks for, loopback included, goes through the proxy, which decides where it may go. It looks up no
  // name by itself, and has no way around: no QUIC, and no UDP of WebRTC, which would ask any address for its own (STUN). Chromium
  // has had two names for that; it passes over the one that it does not know.
  `--proxy-server=http://${order.proxy}`,
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // Nothing is asked for that the page does not ask for.
  '--disable-background-networking',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-features=Translate,OptimizationHints,MediaRouter,InterestFeedContentSuggestions,AutofillServerCommunication',
  '--disable-sync',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  // It runs unseen, beside other work.
  '--disable-backgrounding-occluded-windows',
  '--disable-breakpad',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-renderer-backgrounding',
  '--hide-scrollbars',
  '--metrics-recording-only',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  ...(order.sandbox ? [] : ['--no-sandbox']),
  'about:blank',
], {stdio: ['ignore', 'ignore', 'inherit']});
const died = new Promise((_, reject) => {
  browser.once('error', (error) => reject(new Error(`Chromium did not start: ${error.message}`)));
  browser.once('exit', (code, signal) => reject(new Error(`Chromium ended by itself (${signal ?? code})`)));
});
died.catch(() => {});

/** How many KiB the processes of the group take. What several of them share counts once, as far as one of them has it. */
function memory() {
  let own = 0;
  let mapped = 0;
  const unnamed = new Map();
  for (const name of readdirSync('/proc')) {
    try {
      if (!/^\d+$/.test(name) || group(name) !== process.pid) {
        continue;
      }
      const status = readFileSync(join('/proc', name, 'status'), 'utf8');
      const kib = (field) => Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
      own += kib('RssAnon');
      mapped = Math.max(mapped, kib('RssShmem'));
      noteUnnamed(name, unnamed);
    } catch {
      // It has ended meanwhile.
    }
  }
  // Whatever lies in a file without a name may be mapped as well.
  const held = [...unnamed.values()].reduce((sum, kib) => sum + kib, 0);
  return own + Math.max(mapped, held);
}

/**
 * Notes how many KiB lie in files of a process that have no name (any more): shared memory, by which the processes of a browser send
 * each other what is large. Until it is read no process has mapped it, and a page may send without an end.
 */
function noteUnnamed(name, unnamed) {
  const folder = join('/proc', name, 'fd');
  for (const file of readdirSync(folder)) {
    const status = statSync(join(folder, file), {throwIfNoEntry: false});
    if (status?.nlink === 0) {
      unnamed.set(`${status.dev} ${status.ino}`, status.blocks / 2);
    }
  }
}

/** The process group of a process: the third field after its name, which is in brackets and may be anything. */
function group(name) {
  const stat = readFileSync(join('/proc', name, 'stat'), 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}

/** How many KiB a file takes, or a folder with all that lies in it. */
function disk(path) {
  try {
    const status = lstatSync(path);
    const within = status.isDirectory() ? readdirSync(path) : [];
    return within.reduce((sum, name) => sum + disk(join(path, name)), status.blocks / 2);
  } catch {
    // It is gone meanwhile.
    return 0;
  }
}

/** Fails once too much memory or disk is taken: a page may want all that the machine has. */
const outgrown = new Promise((_, reject) => {
  const tellsMemory = existsSync('/proc/self/status');
  const excess = () => {
    if (tellsMemory && memory() > order.memory_mib * 1024) {
      return `${order.memory_mib} MiB of memory`;
    }
    return disk(order.folder) > order.disk_mib * 1024 ? `${order.disk_mib} MiB of disk` : undefined;
  };
  setInterval(() => {
    const tooMuch = excess();
    if (tooMuch) {
      reject(new Error(`it took more than ${tooMuch}, and the browser was ended`));
      browser.kill('SIGKILL');
    }
  }, WEIGH_EVERY_MS).unref();
});
outgrown.catch(() => {});

/** The address that Chromium listens on: it writes it down in its profile. */
async function endpoint() {
  const file = join(order.folder, 'profile', 'DevToolsActivePort');
  for (const deadline = Date.now() + LISTENS_WITHIN_MS; Date.now() < deadline; await sleep(20)) {
    try {
      const [port, path] = readFileSync(file, 'utf8').trim().split('\n');
      if (path) {
        return `ws://127.0.0.1:${port}${path}`;
      }
    } catch (error) {
      if (error.code !== 'ENOENT') {
        throw error;
      }
    }
  }
  throw new Error('Chromium does not listen');
}

/** Answers the host of the page with the password, at any of its ports, and nobody else; by https alone where the page is. */
async function authenticate(page, {username, password}, {hostname, protocol}) {
  const client = await page.createCDPSession();
  const asked = new Set();
  client.on('Fetch.requestPaused', ({requestId}) => {
    client.send('Fetch.continueRequest', {requestId}).catch(() => {});
  });
  client.on('Fetch.authRequired', ({requestId, authChallenge}) => {
    const isOfHost = () => {
      const asks = new URL(authChallenge.origin);
      return asks.hostname === hostname && (asks.protocol === 'https:' || protocol === 'http:');
    };
    // The host may lead from one of its ports to another, and each may ask.
    const question = `${requestId} ${authChallenge.origin}`;
    const isOurs = authChallenge.source !== 'Proxy' && !asked.has(question) && isOfHost();
    asked.add(question);
    const authChallengeResponse = isOurs
      ? {response: 'ProvideCredentials', username, password}
      : {response: 'CancelAuth'};
    client.send('Fetch.continueWithAuth', {requestId, authChallengeResponse}).catch(() => {});
  });
  const patterns = [`*://${hostname}/*`, `*://${hostname}:*/*`].map((urlPattern) => ({urlPattern}));
  await client.send('Fetch.enable', {handleAuthRequests: true, patterns});
}

/** Cookies of the host of the page, from a header such as `a=1; b=2`: for all of its paths, and by https alone where the page is. */
function cookies(header, url) {
  const secure = new URL(url).protocol === 'https:';
  return header.split(';').map((pair) => pair.trim()).filter(Boolean).map((pair) => {
    const at = pair.indexOf('=');
    // Without these a browser keeps a cookie to the folder of the page, and takes none with a name such as `__Host-a`.
    return {name: pair.slice(0, at), value: pair.slice(at + 1), url, path: '/', secure};
  });
}

async function run() {
  const driver = await puppeteer.connect({browserWSEndpoint: await endpoint(), defaultViewport: null});
  const control = await driver.target().createCDPSession();
  await control.send('Browser.setDownloadBehavior', {behavior: 'deny'});
  const page = await driver.newPage();
  if (order.benchmark) {
    const {pageFunctions} = await load('lighthouse/core/lib/page-functions.js');
    return JSON.stringify({benchmarkIndex: await page.evaluate(`(${pageFunctions.computeBenchmarkIndex})()`)});
  }
  if (order.cookie) {
    const client = await page.createCDPSession();
    await client.send('Network.setCookies', {cookies: cookies(order.cookie, order.url)});
    await client.detach();
  }
  if (order.basic_auth) {
    await authenticate(page, order.basic_auth, new URL(order.url));
  }
  const settings = {...order.settings, locale: 'en-US', output: 'json', logLevel: 'silent'};
  const result = await lighthouse(order.url, settings, {extends: 'lighthouse:default'}, page);
  return JSON.stringify(result.lhr, wellFormed);
}

/** A page may have half a character, such as one of the two parts of an emoji, which is no text to whoever reads the result. */
function wellFormed(_, value) {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/** Why there is no result. Where Chromium died, whoever spoke with it fails as well, and often before. */
async function reason(error) {
  return await Promise.race([outgrown, died, sleep(TELLS_ITS_END_WITHIN_MS, error)]).catch((cause) => cause);
}

/** Writes what there is to tell; then all of it ends. */
function tell(written) {
  if (!isAbandoned && !isTold) {
    isTold = true;
    process.stdout.write(written, () => end());
  }
}

/** Tells why there is no result. */
async function fail(failure) {
  try {
    const error = await reason(failure);
    // An error of Lighthouse has a code, which says the same to whoever reads many.
    const message = String(error.friendlyMessage ?? error.message).toWellFormed();
    tell(JSON.stringify({failure: {code: error.code ?? null, message}}));
  } catch {
    // There is no browser yet.
    if (!isAbandoned) {
      end();
    }
  }
}

try {
  tell(await Promise.race([run(), died, outgrown]));
} catch (failure) {
  await fail(failure);
}
