// `Headers`, `Request`, `Response`, `FormData`, `Blob`, streams, and a `fetch` that refuses.

const outcome = async (call) => {
  try {
    return await call();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};

export const cases = [
  [
    'names fold, values join',
    () => {
      const headers = new Headers({ 'X-A': '1' });
      headers.append('x-a', ' 2 ');
      return [headers.get('X-a'), headers.has('x-A'), headers.get('none')];
    },
    ['1, 2', true, null],
  ],
  [
    'sorted, cookies apart',
    () => {
      const headers = new Headers([
        ['b', '1'],
        ['set-cookie', 'x'],
        ['a', '2'],
        ['Set-Cookie', 'y'],
      ]);
      return [[...headers], headers.getSetCookie()];
    },
    [
      [
        ['a', '2'],
        ['b', '1'],
        ['set-cookie', 'x'],
        ['set-cookie', 'y'],
      ],
      ['x', 'y'],
    ],
  ],
  [
    'bad names and values',
    async () => [
      (await outcome(() => new Headers({ 'a b': '1' }))).slice(0, 9),
      (await outcome(() => new Headers({ a: 'x\ny' }))).slice(0, 9),
    ],
    ['TypeError', 'TypeError'],
  ],
  ['headers of headers', () => [...new Headers(new Headers({ a: '1' }))], [['a', '1']]],

  [
    'a request',
    () => {
      const request = new Request('https://x/a', { method: 'post', body: 'hi', headers: { a: '1' } });
      return [
        request.method,
        request.url,
        request.headers.get('content-type'),
        request.headers.get('a'),
        request.bodyUsed,
      ];
    },
    ['POST', 'https://x/a', 'text/plain;charset=UTF-8', '1', false],
  ],
  [
    'a request from a request',
    async () => {
      const request = new Request(new Request('https://x/', { method: 'PUT', body: 'hi' }), { headers: { b: '2' } });
      return [request.method, await request.text(), request.headers.get('b')];
    },
    ['PUT', 'hi', '2'],
  ],
  [
    'a GET has no body',
    async () => (await outcome(() => new Request('https://x/', { body: 'x' }))).slice(0, 9),
    'TypeError',
  ],
  ['a relative request', () => new Request('/a').url, 'https://sandbox.invalid/a'],

  [
    'a response',
    async () => {
      const response = new Response('{"a":1}', { status: 201, statusText: 'Created' });
      return [
        response.ok,
        response.status,
        response.statusText,
        response.type,
        (await response.json()).a,
        response.bodyUsed,
      ];
    },
    [true, 201, 'Created', 'default', 1, true],
  ],
  [
    'a body is read once',
    async () => {
      const response = new Response('x');
      await response.text();
      return outcome(() => response.text());
    },
    'TypeError: body stream already read',
  ],
  [
    'clones read apart',
    async () => {
      const response = new Response('x', { headers: { a: '1' } });
      const copy = response.clone();
      return [await response.text(), await copy.text(), copy.headers.get('a')];
    },
    ['x', 'x', '1'],
  ],
  [
    'Response.json',
    async () => {
      const response = Response.json({ a: 1 }, { status: 404 });
      return [response.ok, response.headers.get('content-type'), await response.text()];
    },
    [false, 'application/json', '{"a":1}'],
  ],
  [
    'statuses',
    async () => [
      (await outcome(() => new Response('x', { status: 204 }))).slice(0, 9),
      (await outcome(() => new Response('', { status: 99 }))).slice(0, 10),
      Response.error().type,
    ],
    ['TypeError', 'RangeError', 'error'],
  ],
  [
    'bytes and buffers',
    async () => {
      const response = new Response(Uint8Array.of(1, 2));
      return [...new Uint8Array(await response.arrayBuffer())];
    },
    [1, 2],
  ],
  [
    'a body as a stream',
    async () => {
      const chunks = [];
      for await (const chunk of new Response('ab').body) chunks.push(...chunk);
      return chunks;
    },
    [97, 98],
  ],
  [
    'a stream as a body',
    async () => {
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('a'));
          controller.enqueue(new TextEncoder().encode('b'));
          controller.close();
        },
      });
      const response = new Response(stream);
      const copy = response.clone();
      return [await response.text(), await copy.text()];
    },
    ['ab', 'ab'],
  ],
  [
    'form data through a body',
    async () => {
      const form = await new Response(new URLSearchParams({ a: '1 2', b: 'é' })).formData();
      return [...form];
    },
    [
      ['a', '1 2'],
      ['b', 'é'],
    ],
  ],

  [
    'fetch refuses',
    () => outcome(() => fetch('https://example.com/')),
    'TypeError: network access is not available while a tool is being described',
  ],
  ['fetch of nothing', async () => (await outcome(() => fetch('http://'))).slice(0, 9), 'TypeError'],
  [
    'an aborted fetch',
    () => outcome(() => fetch('https://x/', { signal: AbortSignal.abort() })),
    'AbortError: signal is aborted without reason',
  ],
  [
    'sockets refuse',
    async () => [
      (await outcome(() => new WebSocket('wss://x'))).split(':')[0],
      (await outcome(() => new XMLHttpRequest())).split(':')[0],
      WebSocket.OPEN,
      class extends Worker {}.name,
    ],
    ['NotSupportedError', 'NotSupportedError', 1, ''],
  ],

  [
    'a blob',
    async () => {
      const blob = new Blob(['aé', Uint8Array.of(98)], { type: 'Text/Plain' });
      return [blob.size, blob.type, await blob.text(), await blob.slice(-1).text()];
    },
    [4, 'text/plain', 'aéb', 'b'],
  ],
  [
    'a file',
    () => {
      const file = new File(['x'], 'a.txt');
      return [file.name, file.lastModified, file instanceof Blob];
    },
    ['a.txt', 1767225600000, true],
  ],
  [
    'form data',
    async () => {
      const form = new FormData();
      form.append('a', 1);
      form.append('f', new Blob(['x']), 'f.txt');
      form.append('a', 2);
      form.set('b', 'y');
      return [form.getAll('a'), form.get('f').name, form.has('c'), [...form.keys()]];
    },
    [['1', '2'], 'f.txt', false, ['a', 'f', 'a', 'b']],
  ],
  [
    'multipart',
    async () => {
      const form = new FormData();
      form.set('a', 'x');
      const request = new Request('https://x/', { method: 'POST', body: form });
      const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(request.headers.get('content-type'))[1];
      return (await request.text()).replaceAll(boundary, 'B');
    },
    '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--B--\r\n',
  ],

  [
    'pulled streams',
    async () => {
      let next = 0;
      const stream = new ReadableStream({
        pull(controller) {
          next += 1;
          if (next > 3) controller.close();
          else controller.enqueue(next);
        },
      });
      const seen = [];
      for await (const chunk of stream) seen.push(chunk);
      return seen;
    },
    [1, 2, 3],
  ],
  [
    'a transformed stream',
    async () => {
      const doubled = ReadableStream.from([1, 2]).pipeThrough(
        new TransformStream({
          transform: (chunk, controller) => controller.enqueue(2 * chunk),
        }),
      );
      const seen = [];
      for await (const chunk of doubled) seen.push(chunk);
      return seen;
    },
    [2, 4],
  ],
  [
    'a failing stream',
    () =>
      outcome(async () => {
        for await (const chunk of new ReadableStream({
          pull() {
            throw new Error('broken');
          },
        }))
          return chunk;
      }),
    'Error: broken',
  ],
  [
    'a locked stream',
    async () => {
      const stream = ReadableStream.from(['x']);
      const reader = stream.getReader();
      return [stream.locked, (await outcome(() => stream.getReader())).slice(0, 9), (await reader.read()).value];
    },
    [true, 'TypeError', 'x'],
  ],
];
