// What was thrown, as text. Anything can be thrown, and reading it may throw in turn.

// Kept from before any module runs, as everywhere here: a module may replace the globals.
const asText = String;
const BaseError = Error;
const wellFormed = Function.prototype.call.bind(String.prototype.toWellFormed);

const UNREADABLE = "what was thrown can't be read: throw an Error with a message";

/** Why something failed: the message of an error, else the value as text. A text that the host can take. */
export function messageOf(thrown) {
  try {
    return wellFormed(reasonOf(thrown)) || UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

function reasonOf(thrown) {
  if (thrown instanceof BaseError || typeof thrown?.message === 'string') {
    return asText(thrown.message) || asText(thrown.name);
  }
  return asText(thrown);
}

/** Where it was thrown, for the log. */
export function stackOf(thrown) {
  try {
    return wellFormed(asText(thrown?.stack ?? thrown));
  } catch {
    return UNREADABLE;
  }
}
