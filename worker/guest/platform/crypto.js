// Web Crypto as far as a tool may see it while it is being described: identifiers and random bytes from the seeded
// stream; the algorithms of `crypto.subtle` are refused.

import { webInterface } from './install.js';
import { fillRandom } from './random.js';

const integerViews = /^(Big)?(Uint|Int)(8|16|32|64)(Clamped)?Array$/;
const maxBytesPerCall = 65536;

const Crypto = webInterface(class Crypto {
  get subtle() {
    return subtle;
  }

  getRandomValues(view) {
    if (!ArrayBuffer.isView(view) || !integerViews.test(view[Symbol.toStringTag])) {
      throw new DOMException('getRandomValues fills integer typed arrays only', 'TypeMismatchError');
    }
    if (view.byteLength > maxBytesPerCall) {
      throw new DOMException(`getRandomValues fills at most ${maxBytesPerCall} bytes at once`, 'QuotaExceededError');
    }
    fillRandom(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    return view;
  }

  randomUUID() {
    return randomUuid();
  }
});

/** A version 4 UUID (RFC 9562) from the seeded stream. */
export function randomUuid() {
  const bytes = new Uint8Array(16);
  fillRandom(bytes);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const SubtleCrypto = webInterface(class SubtleCrypto {});
const operations = [
  'encrypt', 'decrypt', 'sign', 'verify', 'digest', 'generateKey', 'deriveKey', 'deriveBits', 'importKey',
  'exportKey', 'wrapKey', 'unwrapKey',
];
for (const operation of operations) {
  Object.defineProperty(SubtleCrypto.prototype, operation, {
    async value() {
      const message = `crypto.subtle.${operation} is not available while a tool is being described`;
      throw new DOMException(message, 'NotSupportedError');
    },
    writable: true,
    configurable: true,
  });
}
const subtle = new SubtleCrypto();

/** The globals of Web Crypto. */
export const cryptoGlobals = {
  crypto: new Crypto(),
  Crypto,
  SubtleCrypto,
  CryptoKey: webInterface(class CryptoKey {}),
};
