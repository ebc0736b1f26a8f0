// `URL` and `URLSearchParams`: what the host parses and what JavaScript keeps of it.

const parts = ({ href, origin, protocol, username, password, host, hostname, port, pathname, search, hash }) => ({
  href,
  origin,
  protocol,
  username,
  password,
  host,
  hostname,
  port,
  pathname,
  search,
  hash,
});

const changed = (href, change) => {
  const url = new URL(href);
  change(url);
  return url.href;
};

const thrown = (call) => {
  try {
    return call();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};

export const cases = [
  [
    'all parts',
    () => parts(new URL('https://me:pw@example.com:8443/a/b?x=1#top')),
    {
      href: 'https://me:pw@example.com:8443/a/b?x=1#top',
      origin: 'https://example.com:8443',
      protocol: 'https:',
      username: 'me',
      password: 'pw',
      host: 'example.com:8443',
      hostname: 'example.com',
      port: '8443',
      pathname: '/a/b',
      search: '?x=1',
      hash: '#top',
    },
  ],
  ['relative to a base', () => new URL('./c?y', 'https://example.com/a/b').href, 'https://example.com/a/c?y'],
  ['base as a URL', () => new URL('../x', new URL('https://example.com/a/b/c')).href, 'https://example.com/a/x'],
  ['empty port and root', () => new URL('HTTPS://EXAMPLE.com:443').href, 'https://example.com/'],
  ['international host', () => new URL('https://münchen.de/ü').href, 'https://xn--mnchen-3ya.de/%C3%BC'],
  ['opaque origin', () => new URL('data:text/plain,hi').origin, 'null'],
  ['lone surrogates', () => new URL('https://x/\ud800').href, 'https://x/%EF%BF%BD'],
  ['not a URL', () => thrown(() => new URL('nope')), "TypeError: Failed to construct 'URL': Invalid URL"],
  ['no argument', () => thrown(() => new URL()).startsWith('TypeError'), true],
  ['canParse', () => [URL.canParse('a:b'), URL.canParse('a'), URL.canParse('a', 'https://x/')], [true, false, true]],
  ['parse', () => [URL.parse('nope'), URL.parse('https://x').href], [null, 'https://x/']],
  [
    'string and JSON',
    () => [`${new URL('https://x')}`, JSON.stringify({ u: new URL('https://x') })],
    ['https://x/', '{"u":"https://x/"}'],
  ],
  ['tag', () => Object.prototype.toString.call(new URL('https://x')), '[object URL]'],
  ['set path', () => changed('https://x/a?b#c', (url) => (url.pathname = 'd e')), 'https://x/d%20e?b#c'],
  ['set search', () => changed('https://x/a#c', (url) => (url.search = 'q=1')), 'https://x/a?q=1#c'],
  ['set hash to nothing', () => changed('https://x/a#c', (url) => (url.hash = '')), 'https://x/a'],
  ['set host', () => changed('https://x/a', (url) => (url.host = 'y:81')), 'https://y:81/a'],
  ['a refused setter changes nothing', () => changed('https://x/a', (url) => (url.port = 'x')), 'https://x/a'],
  ['set href', () => changed('https://x/a', (url) => (url.href = 'http://z')), 'http://z/'],
  [
    'params write the URL',
    () => changed('https://x/?a=1', (url) => url.searchParams.append('b', '2 3')),
    'https://x/?a=1&b=2+3',
  ],
  ['params emptied', () => changed('https://x/?a=1', (url) => url.searchParams.delete('a')), 'https://x/'],
  [
    'the URL writes params',
    () => {
      const url = new URL('https://x/?a=1');
      const params = url.searchParams;
      url.search = '?b=2';
      return [params.get('a'), params.get('b'), params === url.searchParams];
    },
    [null, '2', true],
  ],
  [
    'an import URL',
    () => new URL('./green-mango.png', 'https://realm.test/a/b.gts').href,
    'https://realm.test/a/green-mango.png',
  ],
  ['object URL', () => URL.createObjectURL(new Blob(['x'])).startsWith('blob:null/'), true],

  [
    'params from text',
    () => [...new URLSearchParams('?a=1&b=%C3%A9+x&&c')],
    [
      ['a', '1'],
      ['b', 'é x'],
      ['c', ''],
    ],
  ],
  [
    'params from pairs',
    () =>
      `${new URLSearchParams([
        ['a', 1],
        ['b', 'x&y'],
      ])}`,
    'a=1&b=x%26y',
  ],
  ['params from a record', () => `${new URLSearchParams({ q: 'a b', r: undefined })}`, 'q=a+b&r=undefined'],
  ['params from params', () => `${new URLSearchParams(new URLSearchParams('a=1'))}`, 'a=1'],
  [
    'set replaces all',
    () => {
      const params = new URLSearchParams('a=1&b=2&a=3');
      params.set('a', '4');
      return `${params}`;
    },
    'a=4&b=2',
  ],
  [
    'has and delete by value',
    () => {
      const params = new URLSearchParams('a=1&a=2');
      params.delete('a', '1');
      return [params.has('a', '1'), params.has('a', '2'), params.size];
    },
    [false, true, 1],
  ],
  [
    'sorted, stable',
    () => {
      const params = new URLSearchParams('b=1&a=2&b=0');
      params.sort();
      return `${params}`;
    },
    'a=2&b=1&b=0',
  ],
  [
    'getAll and keys',
    () => [new URLSearchParams('a=1&a=2').getAll('a'), [...new URLSearchParams('a=1&b=2').keys()]],
    [
      ['1', '2'],
      ['a', 'b'],
    ],
  ],
  ['form escapes', () => `${new URLSearchParams({ x: "!'()~*-._ é" })}`, 'x=%21%27%28%29%7E*-._+%C3%A9'],
  ['escapes that are not UTF-8', () => new URLSearchParams('a=%ff%zz').get('a'), '\ufffd%zz'],
  ['lone surrogate', () => `${new URLSearchParams({ x: '\ud800' })}`, 'x=%EF%BF%BD'],
  ['objectFromEntries', () => Object.fromEntries(new URLSearchParams('a=1&b=2')), { a: '1', b: '2' }],
];
