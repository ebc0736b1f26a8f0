import bytes from './empty.wasm';

export default class BytesTool {
  bytes = bytes;
}
