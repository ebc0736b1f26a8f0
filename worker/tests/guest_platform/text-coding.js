// `TextEncoder`, `TextDecoder`, `atob`, `btoa`.

const thrown = (call) => {
  try {
    return call();
  } catch (error) {
    return error.name;
  }
};
const bytes = (text) => [...new TextEncoder().encode(text)];
const decode = (numbers, ...settings) => new TextDecoder(...settings).decode(Uint8Array.from(numbers));

export const cases = [
  ['ASCII', () => bytes('abc'), [97, 98, 99]],
  ['two, three and four bytes', () => bytes('é€😀'), [0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80]],
  ['lone surrogates', () => bytes('\ud83dx\ude00'), [0xef, 0xbf, 0xbd, 120, 0xef, 0xbf, 0xbd]],
  ['a Uint8Array comes out', () => new TextEncoder().encode('x') instanceof Uint8Array, true],
  [
    'encodeInto stops at whole characters',
    () => new TextEncoder().encodeInto('aé€', new Uint8Array(4)),
    { read: 2, written: 3 },
  ],
  ['round trip', () => decode(bytes('Grüße, 世界 😀')), 'Grüße, 世界 😀'],
  ['malformed becomes U+FFFD', () => decode([0x61, 0xff, 0x62]), 'a\ufffdb'],
  ['malformed is refused where fatal', () => thrown(() => decode([0xff], 'utf-8', { fatal: true })), 'TypeError'],
  [
    'byte order mark',
    () => [decode([0xef, 0xbb, 0xbf, 97]), decode([0xef, 0xbb, 0xbf, 97], 'utf-8', { ignoreBOM: true })],
    ['a', '\ufeffa'],
  ],
  [
    'latin1 is windows-1252',
    () => [new TextDecoder('latin1').encoding, decode([0xe9, 0x80], 'latin1')],
    ['windows-1252', 'é€'],
  ],
  ['UTF-16', () => decode([0x61, 0x00, 0x3d, 0xd8, 0x00, 0xde], 'utf-16le'), 'a😀'],
  ['another encoding of the host', () => decode([0x82, 0xa0], 'shift_jis'), 'あ'],
  ['labels are trimmed and folded', () => new TextDecoder(' UTF8 ').encoding, 'utf-8'],
  [
    'unknown labels',
    () => ['no-such-encoding', '\ud800'].map((label) => thrown(() => new TextDecoder(label))),
    ['RangeError', 'RangeError'],
  ],
  [
    'a stream cut within a character',
    () => {
      const decoder = new TextDecoder();
      const [first, second] = [
        [0xe2, 0x82],
        [0xac, 0x61],
      ].map((part) => Uint8Array.from(part));
      return [decoder.decode(first, { stream: true }), decoder.decode(second, { stream: true }), decoder.decode()];
    },
    ['', '€a', ''],
  ],
  [
    'a stream that ends within a character',
    () => {
      const decoder = new TextDecoder();
      return decoder.decode(Uint8Array.of(0xe2), { stream: true }) + decoder.decode();
    },
    '\ufffd',
  ],
  [
    'only the first bytes can be a mark',
    () => {
      const decoder = new TextDecoder();
      const mark = Uint8Array.of(0xef, 0xbb, 0xbf);
      return decoder.decode(mark, { stream: true }) + decoder.decode(mark, { stream: true }) + decoder.decode();
    },
    '\ufeff',
  ],
  [
    'buffers and views',
    () => {
      const buffer = Uint8Array.of(97, 98, 99).buffer;
      return [new TextDecoder().decode(buffer), new TextDecoder().decode(new DataView(buffer, 1))];
    },
    ['abc', 'bc'],
  ],
  [
    'btoa and atob',
    () => [btoa('hi\xff'), atob('aGn/'), btoa(''), btoa('a'), atob('YQ'), atob(' Y Q = = ')],
    ['aGn/', 'hi\xff', '', 'YQ==', 'a', 'a'],
  ],
  [
    'what base64 refuses',
    () => [thrown(() => btoa('€')), thrown(() => atob('a'))],
    ['InvalidCharacterError', 'InvalidCharacterError'],
  ],
];
