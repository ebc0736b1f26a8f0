// A small `ReadableStream` (bodies, blobs), `WritableStream` and `TransformStream`: chunks go through in order, one
// reader or writer at a time. There are no byte readers and no queuing strategies: a stream pulls when it is read.

import { webInterface } from './install.js';

export const ReadableStream = webInterface(class ReadableStream {
  #source;
  #controller;
  #chunks = [];
  #state = 'readable';
  #error;
  #waiting = [];
  #pulling = false;
  #started;
  #reader;

  constructor(source = {}) {
    this.#source = source ?? {};
    this.#controller = {
      desiredSize: 1,
      enqueue: (chunk) => {
        if (this.#state !== 'readable') throw new TypeError('the stream is closed');
        this.#chunks.push(chunk);
        this.#serve();
      },
      close: () => this.#end('closed'),
      error: (error) => this.#end('errored', error),
    };
    this.#started = Promise.try(() => this.#source.start?.(this.#controller));
    this.#started.catch((error) => this.#end('errored', error));
  }

  /** A stream of what an iterable or an async iterable gives. */
  static from(iterable) {
    const iterator = iterable[Symbol.asyncIterator]?.() ?? iterable[Symbol.iterator]();
    return new ReadableStream({
      async pull(controller) {
        const { value, done } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(await value);
      },
      cancel: (reason) => iterator.return?.(reason),
    });
  }

  get locked() {
    return this.#reader !== undefined;
  }

  getReader() {
    if (this.locked) throw new TypeError('the stream is locked to a reader');
    const closed = Promise.withResolvers();
    closed.promise.catch(() => {});
    const mine = (call) => async (argument) => {
      if (this.#reader !== reader) throw new TypeError('the reader has released its stream');
      return call(argument);
    };
    const reader = {
      closed: closed.promise,
      read: mine(async () => {
        try {
          const result = await this.#read();
          if (result.done) closed.resolve();
          return result;
        } catch (error) {
          closed.reject(error);
          throw error;
        }
      }),
      cancel: mine((reason) => this.#cancel(reason)),
      releaseLock: () => {
        if (this.#reader === reader) this.#reader = undefined;
      },
    };
    this.#reader = reader;
    return reader;
  }

  async cancel(reason) {
    if (this.locked) throw new TypeError('the stream is locked to a reader');
    return this.#cancel(reason);
  }

  tee() {
    const reader = this.getReader();
    const branches = [];
    const pull = async () => {
      const { value, done } = await reader.read();
      for (const branch of branches) done ? branch.close() : branch.enqueue(value);
    };
    return [0, 1].map(() => new ReadableStream({ start: (controller) => void branches.push(controller), pull }));
  }

  async pipeTo(writable) {
    const writer = writable.getWriter();
    for await (const chunk of this) await writer.write(chunk);
    await writer.close();
  }

  pipeThrough({ readable, writable }) {
    this.pipeTo(writable).catch(() => {});
    return readable;
  }

  async *values() {
    const reader = this.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    } finally {
      await this.#cancel(undefined);
      reader.releaseLock();
    }
  }

  [Symbol.asyncIterator]() {
    return this.values();
  }

  #read() {
    const waiting = Promise.withResolvers();
    this.#waiting.push(waiting);
    this.#serve();
    return waiting.promise;
  }

  #serve() {
    while (this.#waiting.length > 0 && this.#chunks.length > 0) {
      this.#waiting.shift().resolve({ value: this.#chunks.shift(), done: false });
    }
    if (this.#state === 'closed') {
      for (const { resolve } of this.#waiting.splice(0)) resolve({ value: undefined, done: true });
    } else if (this.#state === 'errored') {
      for (const { reject } of this.#waiting.splice(0)) reject(this.#error);
    } else if (this.#waiting.length > 0 && !this.#pulling && this.#source.pull !== undefined) {
      this.#pull();
    }
  }

  async #pull() {
    this.#pulling = true;
    try {
      await this.#started;
      await this.#source.pull(this.#controller);
    } catch (error) {
      this.#end('errored', error);
    }
    this.#pulling = false;
    this.#serve();
  }

  #end(state, error) {
    if (this.#state !== 'readable') return;
    this.#state = state;
    this.#error = error;
    if (state === 'errored') this.#chunks.length = 0;
    this.#serve();
  }

  async #cancel(reason) {
    if (this.#state !== 'readable') return;
    this.#chunks.length = 0;
    this.#end('closed');
    await this.#source.cancel?.(reason);
  }
});

/** A stream of one chunk. */
export function streamOfBytes(bytes) {
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

export const WritableStream = webInterface(class WritableStream {
  #sink;
  #last;
  #writer;

  constructor(sink = {}) {
    this.#sink = sink ?? {};
    this.#last = Promise.try(() => this.#sink.start?.(controller));
  }

  get locked() {
    return this.#writer !== undefined;
  }

  getWriter() {
    if (this.locked) throw new TypeError('the stream is locked to a writer');
    const then = (step) => (this.#last = this.#last.then(step));
    this.#writer = {
      ready: Promise.resolve(),
      desiredSize: 1,
      closed: Promise.resolve(),
      write: (chunk) => then(() => this.#sink.write?.(chunk, controller)),
      close: () => then(() => this.#sink.close?.()),
      abort: (reason) => then(() => this.#sink.abort?.(reason)),
      releaseLock: () => (this.#writer = undefined),
    };
    return this.#writer;
  }
});

const controller = { error() {}, signal: undefined };

export const TransformStream = webInterface(class TransformStream {
  constructor(transformer = {}) {
    let output;
    this.readable = new ReadableStream({ start: (made) => void (output = made) });
    this.writable = new WritableStream({
      start: () => transformer.start?.(output),
      write: (chunk) => (transformer.transform ? transformer.transform(chunk, output) : output.enqueue(chunk)),
      close: async () => {
        await transformer.flush?.(output);
        output.close();
      },
    });
  }
});
