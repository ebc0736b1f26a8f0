// What the platform asks of the host. The host can't be asked while the engine is snapshotted, so nothing here is
// called at install time: only when a module uses a URL, decodes bytes or logs. Text is made well-formed first: a lone
// surrogate can't cross the component boundary, and trying to ends the instance.

let services;

/** Keeps the host's functions for the calls below. */
export function provideHost(host) {
  services = host;
}

/**
 * The parts of a URL by the WHATWG parser: {href, protocol, username, password, host, hostname, port, pathname,
 * search, hash, origin}; undefined where `input` is not a URL.
 */
export function parseUrl(input, base) {
  try {
    return JSON.parse(services.parseUrl(input.toWellFormed(), base?.toWellFormed()));
  } catch {
    return undefined;
  }
}

/** The parts of `href` after a WHATWG setter; undefined where the setter refuses `value`. */
export function setUrlPart(href, part, value) {
  try {
    return JSON.parse(services.setUrlPart(href, part, value.toWellFormed()));
  } catch {
    return undefined;
  }
}

/** Decodes `bytes` by a WHATWG encoding label; throws on an unknown label, and on malformed bytes where `fatal`. */
export function decodeText(bytes, label, fatal, ignoreBom) {
  return services.decodeText(bytes, label.toWellFormed(), fatal, ignoreBom);
}

/** Decodes UTF-8 as `Response.text()` does: lossy, without a byte order mark. */
export function decodeUtf8(bytes) {
  return bytes.length === 0 ? '' : services.decodeText(bytes, 'utf-8', false, false);
}

/** Writes one line to the host's log. A log that can't be written is not the module's concern. */
export function log(level, message) {
  try {
    services.log(level, message.toWellFormed());
  } catch {
    // The snapshot is being made, or the host refused the line.
  }
}
