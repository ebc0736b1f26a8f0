// A realmdex of its own that serves realms for clients to read, and an HTTP server that holds two of them.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const PATIENCE_MS = 60_000;
const LISTING = 'application/vnd.api+json';

export const secrets = { realms: 'what signs realm tokens here', delegation: 'what the agent and the server know' };

export const people = {
  owner: '@ann:localhost',
  reader: '@bob:localhost',
  stranger: '@eve:localhost',
  // Boxel's administrators come as that user, with a token that they sign themselves.
  server: '@realm_server:localhost',
};

async function until(what, isSo) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await wait(25)) {
    if (await isSo()) return;
  }
  throw new Error(`in vain: ${what}`);
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

// Holds realms whose files change what they answer: one that is refused when it is indexed and there when it is read,
// and one that is not listed yet.
async function startOrigin() {
  const files = {
    'good.md': '# Good\n',
    'trouble.md': '---\nname: trouble\n---\n# Trouble\n',
    'fresh.md': '---\nname: fresh\n---\n# Fresh\n',
  };
  const listed = ['good.md', 'trouble.md'];
  let isInTrouble = true;
  const server = http.createServer((request, response) => {
    const [, realm, name] = /^\/(open|closed)\/(.*)$/.exec(request.url) ?? [];
    if (name === '_mtimes') {
      const root = `http://${request.headers.host}/${realm}/`;
      const mtimes = Object.fromEntries(listed.map((file) => [root + file, 1_700_000_000]));
      response.setHeader('content-type', LISTING);
      response.end(JSON.stringify({ data: { id: root, type: 'mtimes', attributes: { mtimes } } }));
    } else if (name === 'trouble.md' && isInTrouble) {
      // Out of the realm, which is refused for good.
      response.writeHead(302, { location: '/elsewhere' }).end();
    } else if (name in files) {
      response.setHeader('last-modified', new Date(1_700_000_000_000).toUTCString());
      response.end(files[name]);
    } else {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    files,
    mend: () => (isInTrouble = false),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

// Starts it, with everything indexed that is to be. `realmdex` is the program, `work` a folder for what it keeps.
export async function startFleet(realmdex, work) {
  const folder = path.join(work, 'fleet');
  mkdirSync(folder);
  const secretFile = (name, secret) => {
    const file = path.join(folder, name);
    writeFileSync(file, `${secret}\n`, { mode: 0o600 });
    return file;
  };
  const origin = await startOrigin();
  const port = await freePort();
  const root = `http://localhost:${port}/`;
  const url = (name) => `${root}${name}/`;
  const realms = path.join(folder, 'realms');
  const source = (name, from) => {
    cpSync(path.join(import.meta.dirname, 'realms', from), path.join(realms, name), { recursive: true });
    return path.join(realms, name);
  };
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    REALMDEX_DATA: path.join(folder, 'index'),
    REALMDEX_PRIVATE_ADDRESSES: 'true',
    REALMDEX_REALM_SECRET_FILE: secretFile('realm-secret', secrets.realms),
    REALMDEX_DELEGATION_SECRET_FILE: secretFile('delegation-secret', secrets.delegation),
    REALMDEX_LOG: 'info',
  };
  const log = path.join(folder, 'log');
  const first = ['up', source('skills', 'skills'), '--url', url('skills')];
  const given = ['--listen', '127.0.0.1:0', '--public', `127.0.0.1:${port}`];
  const up = spawn(realmdex, [...first, ...given], { env, stdio: ['ignore', openSync(log, 'a'), openSync(log, 'a')] });
  process.on('exit', () => up.kill());
  const stop = async () => {
    origin.stop();
    if (up.exitCode === null && up.signalCode === null) {
      up.kill('SIGTERM');
      await once(up, 'exit');
    }
  };
  const run = (...verb) => execFileSync(realmdex, verb, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const answers = (address) => fetch(address).then((answer) => answer.ok, () => false);
  const isReady = (name) => answers(`${url(name)}_readiness-check`);
  try {
    await until(`realmdex up serves realms; its log is ${log}`, () => {
      if (up.exitCode !== null) throw new Error(`realmdex up ended: see ${log}`);
      return isReady('skills');
    });
    const add = (name, from, ...who) => run('realms', 'add', from, '--url', url(name), ...who);
    const gated = ['--owner', people.owner, '--reader', people.reader];
    add('diary', source('diary', 'diary'), ...gated);
    add('attic', source('attic', 'skills'), '--reader', '*');
    add('cellar', source('cellar', 'diary'), ...gated);
    add('vault', source('vault', 'diary'), '--owner', people.server, '--private');
    add('open', `${origin.url}open/`, '--reader', '*');
    add('closed', `${origin.url}closed/`, ...gated);
    for (const name of ['skills', 'diary', 'attic', 'cellar', 'vault', 'open', 'closed']) {
      await until(`${name} is indexed`, () => isReady(name));
    }
    run('realms', 'archive', url('attic'));
    run('realms', 'archive', url('cellar'));
    origin.mend();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    root,
    url,
    run,
    stop,
    log,
    files: origin.files,
    folder: (name) => path.join(realms, name),
    session: (user, name) => run('sessions', 'create', user, url(name)).trim(),
  };
}
