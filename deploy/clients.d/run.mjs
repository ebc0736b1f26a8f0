// Runs Boxel's clients, bundled into WORK, against a realmdex of its own: node run.mjs REALMDEX WORK
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { agentTests } from './agent.mjs';
import { cliTests } from './cli.mjs';
import { startFleet } from './fleet.mjs';

const [realmdex, work] = process.argv.slice(2).map((given) => path.resolve(given));
// What the agent logs of failures that are meant is no news; its program says so in the same place.
globalThis._logDefinitions = { '*': 'silent' };
const agent = createRequire(import.meta.url)(path.join(work, 'agent.cjs'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const fleet = await startFleet(realmdex, work);
after(fleet.stop);
// One after the other: they revoke sessions and take rights.
describe('how an agent reads', () => agentTests(test, fleet, agent));
describe('the command', () => cliTests(test, fleet, path.join(work, 'cli', 'dist', 'index.js'), work));
