// Boxel's command, as it is installed, asks realms that realmdex serves. A profile is a file: nobody logs in.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { people, secrets } from './fleet.mjs';

// Where Matrix would be: nobody is there.
const NOWHERE = 'http://127.0.0.1:9/';

export function cliTests(test, fleet, program, work) {
  const fresh = () => mkdtempSync(path.join(work, 'home-'));

  // A home with a profile of a user who has sessions with those realms.
  const homeOf = (user, ...realms) => {
    const home = fresh();
    const realmTokens = Object.fromEntries(realms.map((name) => [fleet.url(name), fleet.session(user, name)]));
    const profile = {
      displayName: user,
      matrixUrl: NOWHERE,
      realmServerUrl: fleet.root,
      matrixAccessToken: 'none',
      matrixUserId: user,
      matrixDeviceId: 'none',
      realmTokens,
    };
    mkdirSync(path.join(home, '.boxel-cli'));
    const profiles = { profiles: { [user]: profile }, activeProfile: user };
    writeFileSync(path.join(home, '.boxel-cli', 'profiles.json'), JSON.stringify(profiles));
    return home;
  };

  const boxel = async (home, given, more = {}) => {
    const env = { PATH: process.env.PATH, HOME: home, BOXEL_DISABLE_CLAUDE_SKILLS_SYNC: '1', ...more };
    const options = { env, cwd: home, encoding: 'buffer' };
    const ended = await promisify(execFile)(process.execPath, [program, ...given], options).then(
      (done) => ({ ...done, code: 0 }),
      (failure) => failure,
    );
    const words = (bytes) => stripVTControlCharacters(bytes.toString());
    return { code: ended.code, bytes: ended.stdout, out: words(ended.stdout), err: words(ended.stderr) };
  };
  const succeeds = (ended) => {
    assert.deepEqual([ended.code, ended.err], [0, '']);
    return ended;
  };
  const fails = ({ code, err }, words) => {
    assert.equal(code, 1);
    assert.match(err, words);
  };
  const findings = (home, realm, ...more) =>
    boxel(home, ['realm', 'indexing-errors', '--realm', fleet.url(realm), ...more]);

  // What lies in a folder, but for what the command keeps for itself.
  const filesIn = (folder) => {
    const all = readdirSync(folder, { recursive: true }).filter((file) => statSync(path.join(folder, file)).isFile());
    const own = all.filter((file) => !file.split(path.sep).some((name) => name.startsWith('.')));
    return Object.fromEntries(own.sort().map((file) => [file, readFileSync(path.join(folder, file), 'base64')]));
  };

  test('indexing-errors prints what realmdex found', async () => {
    const bob = homeOf(people.reader, 'skills', 'open', 'diary');
    const [heading, broken, half, ...others] = succeeds(await findings(bob, 'skills')).out.trim().split('\n');
    assert.deepEqual(others, []);
    assert.equal(heading, `2 indexing findings for ${fleet.url('skills')}:`);
    const line = (file) => `[file] ${fleet.url('skills')}${file}/SKILL.md  `;
    assert.ok(broken.startsWith(`${line('broken')}frontmatter parse error (line `), broken);
    const tool = `${fleet.url('skills')}half-done/not-written-yet#default`;
    assert.ok(half.startsWith(`${line('half-done')}1 tool schema failure: ${tool}: cannot find module `), half);

    const [, trouble] = succeeds(await findings(bob, 'open')).out.trim().split('\n');
    // Not by where its bytes lie: that is its operator's.
    const where = `${fleet.url('open')}trouble.md`;
    assert.ok(trouble.startsWith(`[file] ${where}  ${where}: refused: it redirects to (the source)/`), trouble);
    assert.equal(succeeds(await findings(bob, 'diary')).out, 'No indexing errors.\n');
  });

  test('indexing-errors --json prints the document', async () => {
    const bob = homeOf(people.reader, 'skills', 'open');
    const { data } = JSON.parse(succeeds(await findings(bob, 'skills', '--json')).out);
    const at = (file) => `file::${fleet.url('skills')}${file}/SKILL.md`;
    assert.deepEqual(
      data.map(({ type, id }) => [type, id]),
      [['frontmatter-error', at('broken')], ['tool-schema-error', at('half-done')]],
    );
    assert.equal(typeof data[0].attributes.frontmatterParseError.line, 'number');
    assert.deepEqual(data[0].attributes.diagnostics.frontmatterParseError, data[0].attributes.frontmatterParseError);
    const [error] = JSON.parse(succeeds(await findings(bob, 'open', '--json')).out).data;
    assert.deepEqual([error.type, error.attributes.entryType], ['indexing-error', 'file']);
    assert.equal(typeof error.attributes.errorDoc.message, 'string');
  });

  test('whoever may not learn of findings is told why', async () => {
    fails(await findings(homeOf(people.stranger, 'diary'), 'diary'), /HTTP 403: Insufficient permissions/);
    fails(await findings(homeOf(people.owner, 'cellar'), 'cellar'), /HTTP 403: .*Realm Archived/);
    const bob = homeOf(people.reader, 'diary');
    fleet.run('sessions', 'revoke', people.reader);
    // It looks for Matrix, to begin anew.
    fails(await findings(bob, 'diary', '--json'), /fetch failed/);
  });

  test('files are listed and read', async () => {
    const bob = homeOf(people.reader, 'skills', 'diary');
    const realm = ['--realm', fleet.url('skills')];
    const { filenames } = JSON.parse(succeeds(await boxel(bob, ['file', 'list', ...realm, '--json'])).out);
    assert.deepEqual(filenames.map(decodeURIComponent), Object.keys(filesIn(fleet.folder('skills'))));
    const read = async (...given) => succeeds(await boxel(bob, ['file', 'read', ...given])).bytes;
    const lies = (file) => readFileSync(path.join(fleet.folder('skills'), file));
    assert.deepEqual(await read('pictures/dot.png', ...realm), lies('pictures/dot.png'));
    const text = async (file) => JSON.parse(await read(file, ...realm, '--json')).content;
    assert.equal(await text('trip-planner/cities.txt'), lies('trip-planner/cities.txt').toString());
    assert.equal(await text('Reading List/on rivers & lakes.md'), lies('Reading List/on rivers & lakes.md').toString());
    // By its name without the extension.
    assert.equal(await text('trip-planner/plan-trip'), lies('trip-planner/plan-trip.js').toString());
    fails(await boxel(bob, ['file', 'read', 'none.md', ...realm]), /HTTP 404/);
    const gated = ['file', 'read', 'SKILL.md', '--realm', fleet.url('diary')];
    fails(await boxel(homeOf(people.stranger, 'diary'), gated), /HTTP 403: Insufficient permissions/);
  });

  test('a realm is pulled whole, and what is not in it goes', async () => {
    const bob = homeOf(people.reader, 'skills', 'cellar');
    const here = path.join(bob, 'here');
    for (const more of [[], ['--delete']]) {
      mkdirSync(here, { recursive: true });
      writeFileSync(path.join(here, 'extra.md'), 'of before');
      const pulled = await boxel(bob, ['realm', 'pull', fleet.url('skills'), here, ...more]);
      assert.deepEqual([pulled.code, pulled.err], [0, '']);
      const { 'extra.md': extra, ...files } = filesIn(here);
      assert.deepEqual(files, filesIn(fleet.folder('skills')));
      assert.equal(extra === undefined, more.length > 0);
    }
    // Nothing is taken for gone where nothing may be seen.
    fails(await boxel(bob, ['realm', 'pull', fleet.url('cellar'), here, '--delete']), /Authentication failed \(403\)/);
    assert.deepEqual(filesIn(here), filesIn(fleet.folder('skills')));
  });

  test('an administrator pulls with the secret alone', async () => {
    const home = fresh();
    const here = path.join(home, 'here');
    const seed = (secret) => ({ BOXEL_REALM_SECRET_SEED: secret });
    const given = ['realm', 'pull', fleet.url('vault'), here];
    fails(await boxel(home, given, seed('a guess')), /Authentication failed \(401\)/);
    succeeds(await boxel(home, given, seed(secrets.realms)));
    assert.deepEqual(filesIn(here), filesIn(fleet.folder('vault')));
  });

  test('it waits for a realm, and calls indexing off with the right to', async () => {
    const ann = homeOf(people.owner, 'diary');
    const of = (verb) => ['realm', verb, '--realm', fleet.url('diary')];
    assert.equal(succeeds(await boxel(ann, of('wait-for-ready'))).out, 'Realm is ready.\n');
    succeeds(await boxel(ann, of('cancel-indexing')));
    fails(await boxel(homeOf(people.reader, 'diary'), of('cancel-indexing')), /HTTP 403: Insufficient permissions/);
  });
}
