// Boxel's agent reads realms that realmdex serves. What is expected is what Boxel's own tests of it expect
// (packages/ai-bot/tests/read-realm-file-test.ts), with a server in place of scripted answers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { people, secrets } from './fleet.mjs';

const DOCUMENT = 'application/vnd.card.file-meta+json';
const SOURCE = 'application/vnd.card+source';

// Everything that is asked, with the answer's status: what came of each step is seen in their order.
function recording() {
  const asked = [];
  const recorder = async (url, init = {}) => {
    const answer = await fetch(url, init);
    const { Accept: accept, Authorization: token } = init.headers ?? {};
    asked.push({ accept, token, status: answer.status });
    return answer;
  };
  return { asked, fetch: recorder };
}

export function agentTests(test, fleet, agent) {
  // One who reads for somebody, and remembers tokens.
  const reader = (onBehalfOf, secret = secrets.delegation) => {
    const minting = recording();
    const sessions = new agent.DelegatedUserRealmSessionManager(secret, { fetch: minting.fetch });
    const dropped = [];
    const delegatedUserRealmSessions = {
      getToken: (of) => sessions.getToken(of),
      invalidate: (of) => {
        dropped.push(of);
        sessions.invalidate(of);
      },
    };
    return {
      minted: () => minting.asked.map(({ status }) => status),
      dropped,
      read: async (realm, file) => {
        const reading = recording();
        const options = { onBehalfOf, delegatedUserRealmSessions, fetch: reading.fetch };
        const result = await agent.executeReadRealmFile(fleet.url(realm) + file, options);
        const steps = reading.asked.map(({ accept, token, status }) => {
          const kind = { [DOCUMENT]: 'document', [SOURCE]: 'source' }[accept];
          return `${kind}${token ? ' with token' : ''} ${status}`;
        });
        return { result, steps };
      },
    };
  };
  const text = (realm, file) => readFileSync(path.join(fleet.folder(realm), file), 'utf8');
  const body = (realm, file) => text(realm, file).replace(/^---\n.*?\n---\n/s, '');
  const content = (result) => {
    assert.equal(result.error, undefined);
    assert.equal(result.ok, true);
    return result.content;
  };
  const failed = ({ result }, words) => {
    assert.equal(result.ok, false);
    assert.match(result.error, words);
  };

  test('a public file is read at once, as it is', async () => {
    const eve = reader(people.stranger);
    const { result, steps } = await eve.read('skills', 'trip-planner/cities.txt');
    assert.equal(content(result), text('skills', 'trip-planner/cities.txt'));
    assert.deepEqual([steps, eve.minted()], [['source 200'], []]);
  });

  test('a public skill comes as its body and its tools, ready to be offered', async () => {
    const { result, steps } = await reader(people.stranger).read('skills', 'trip-planner/SKILL.md');
    assert.deepEqual(steps, ['document 200']);
    assert.equal(content(result), body('skills', 'trip-planner/SKILL.md'));
    const [tool, ...others] = result.tools;
    assert.deepEqual(others, []);
    assert.deepEqual(tool.codeRef, { module: `${fleet.url('skills')}trip-planner/plan-trip`, name: 'planTrip' });
    assert.equal(tool.requiresApproval, true);
    assert.match(tool.functionName, /^planTrip_[0-9a-f]{4}$/);
    assert.equal(tool.definition.type, 'function');
    assert.equal(tool.definition.function.name, tool.functionName);
    assert.deepEqual(tool.definition.function.parameters.required, ['cities']);
  });

  test('a document without tools, and one whose frontmatter is broken', async () => {
    for (const file of ['README.md', 'broken/SKILL.md']) {
      const { result, steps } = await reader(people.stranger).read('skills', file);
      assert.deepEqual(steps, ['document 200']);
      assert.equal(content(result), text('skills', file));
      assert.equal('tools' in result, false);
    }
  });

  test('a tool that has no definition is told of all the same', async () => {
    const { result } = await reader(people.stranger).read('skills', 'half-done/SKILL.md');
    const [there, missing] = result.tools;
    assert.deepEqual([there.requiresApproval, there.definition?.type], [false, 'function']);
    assert.deepEqual([missing.functionName, missing.definition], [undefined, undefined]);
  });

  for (const [state, file] of [['unindexed', 'fresh.md'], ['error-state', 'trouble.md']]) {
    test(`a public ${state} file is read from its source`, async () => {
      const { result, steps } = await reader(people.stranger).read('open', file);
      assert.equal(content(result), fleet.files[file]);
      assert.equal('tools' in result, false);
      assert.deepEqual(steps, ['document 200', 'source 200']);
    });
    test(`a gated ${state} file is read from its source, with the token again`, async () => {
      const bob = reader(people.reader);
      const { result, steps } = await bob.read('closed', file);
      assert.equal(content(result), fleet.files[file]);
      const [probed, read] = [(kind) => `${kind} 401`, (kind) => `${kind} with token 200`];
      assert.deepEqual(steps, ['document', 'source'].flatMap((kind) => [probed(kind), read(kind)]));
      assert.deepEqual(bob.minted(), [200]);
    });
  }

  test('a gated file says which realm a token is needed for, and one token reads the realm', async () => {
    const bob = reader(people.reader);
    const skill = await bob.read('diary', 'SKILL.md');
    assert.equal(content(skill.result), body('diary', 'SKILL.md'));
    assert.equal(skill.result.tools[0].definition.function.name, skill.result.tools[0].functionName);
    assert.deepEqual(skill.steps, ['document 401', 'document with token 200']);
    const day = await bob.read('diary', 'days/monday.txt');
    assert.equal(content(day.result), text('diary', 'days/monday.txt'));
    assert.deepEqual(day.steps, ['source 401', 'source with token 200']);
    assert.deepEqual(bob.minted(), [200]);
  });

  test('after a revocation a new token is got, once', async () => {
    const bob = reader(people.reader);
    await bob.read('diary', 'days/monday.txt');
    fleet.run('sessions', 'revoke', people.reader);
    const { result, steps } = await bob.read('diary', 'days/monday.txt');
    assert.equal(content(result), text('diary', 'days/monday.txt'));
    assert.deepEqual(steps, ['source 401', 'source with token 401', 'source with token 200']);
    assert.deepEqual(bob.dropped, [{ onBehalfOf: people.reader, realm: fleet.url('diary') }]);
    assert.deepEqual(bob.minted(), [200, 200]);
  });

  test('who has lost the right reads no more', async () => {
    const bob = reader(people.reader);
    await bob.read('diary', 'SKILL.md');
    fleet.run('realms', 'rights', fleet.url('diary'), '--private');
    const lost = await bob.read('diary', 'SKILL.md');
    fleet.run('realms', 'rights', fleet.url('diary'), '--reader', people.reader);
    failed(lost, /^no read access to /);
    assert.deepEqual(lost.steps, ['document 401', 'document with token 401']);
    assert.deepEqual(bob.minted(), [200, 403]);
    assert.equal((await bob.read('diary', 'SKILL.md')).result.ok, true);
  });

  test('whoever may not read is told so, and the source is not tried', async () => {
    const eve = reader(people.stranger);
    const refused = await eve.read('diary', 'SKILL.md');
    failed(refused, /^no read access to /);
    assert.deepEqual([refused.steps, eve.minted()], [['document 401'], [403]]);
  });

  test('an agent without the secret, or with another one, gets no token', async () => {
    failed(await reader(people.reader, '').read('diary', 'SKILL.md'), /delegation is not configured/);
    const guessing = reader(people.reader, 'a guess');
    failed(await guessing.read('diary', 'SKILL.md'), /^could not obtain realm access for /);
    assert.deepEqual(guessing.minted(), [401]);
  });

  test('what is not there is not found, and a module is not guessed', async () => {
    const eve = reader(people.stranger);
    for (const [file, words, steps] of [
      ['none.txt', /HTTP 404/, ['source 404']],
      ['none.md', /HTTP 404/, ['document 404', 'source 404']],
      ['trip-planner/plan-trip', /HTTP 302/, ['source 302']],
    ]) {
      const missed = await eve.read('skills', file);
      failed(missed, words);
      assert.deepEqual(missed.steps, steps);
    }
    assert.deepEqual(eve.minted(), []);
  });

  test('an archived realm is read by nobody', async () => {
    for (const [realm, probed] of [['attic', 403], ['cellar', 401]]) {
      const refused = await reader(people.reader).read(realm, 'days/monday.txt');
      failed(refused, /HTTP 403/);
      assert.deepEqual(refused.steps, [`source ${probed}`, 'source with token 403', 'source with token 403']);
    }
  });

  test('a call is answered with the files, the tools that can be offered, and what is wrong', async () => {
    const sent = [];
    const uploaded = [];
    const urls = ['trip-planner/SKILL.md', 'half-done/SKILL.md', 'none.md'].map((file) => fleet.url('skills') + file);
    const asked = { name: 'readRealmFile', arguments: JSON.stringify({ urls }) };
    const call = { id: 'call-1', type: 'function', function: asked };
    const [outcome] = await agent.fulfillReadRealmFileCalls([call], {
      client: { sendEvent: async (...event) => sent.push(event) },
      roomId: '!room',
      requestEventId: '$request',
      agentId: 'agent',
      onBehalfOf: people.stranger,
      delegatedUserRealmSessions: new agent.DelegatedUserRealmSessionManager(secrets.delegation),
      uploadText: async (words) => `mxc://${uploaded.push(words)}`,
    });
    assert.deepEqual([outcome.commandRequestId, outcome.ok], ['call-1', false]);
    const [[room, type, { failureReason, data: text, ...content }]] = sent;
    assert.deepEqual([room, type, content['m.relates_to'].key], ['!room', 'app.boxel.toolResult', 'applied']);
    const data = JSON.parse(text);
    assert.deepEqual(data.attachedFiles.map((file) => file.sourceUrl), urls.slice(0, 2));
    assert.deepEqual(data.discoveredTools.map((tool) => tool.sourceSkillUrl), urls.slice(0, 2));
    assert.ok(data.discoveredTools.every((tool) => tool.definition.function.name === tool.functionName));
    assert.match(failureReason, /none\.md \(HTTP 404\)/);
    assert.match(failureReason, /half-done\/SKILL\.md: 1 of 2 tools/);
  });
}
