// The host's functions, given text that it can take: a JavaScript string may hold half a surrogate pair, which is no
// Unicode, and the engine ends at one.

import * as host from 'realmdex:engine/host@0.1.0';

const asText = String;
const wellFormed = Function.prototype.call.bind(String.prototype.toWellFormed);
const text = (value) => wellFormed(asText(value));
const optional = (value) => (value === undefined ? undefined : text(value));

export const load = (specifier, importer) => host.load(text(specifier), optional(importer));
export const resolve = (specifier, importer) => host.resolve(text(specifier), optional(importer));
export const parseUrl = (input, base) => host.parseUrl(text(input), optional(base));
export const setUrlPart = (href, part, value) => host.setUrlPart(text(href), text(part), text(value));
export const decodeText = (bytes, label, fatal, ignoreBom) => host.decodeText(bytes, text(label), fatal, ignoreBom);
export const log = (level, message) => host.log(text(level), text(message));
