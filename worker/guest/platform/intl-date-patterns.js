// How en-US writes a date: which fields, in which order, with what between them. Facts from CLDR.

const months = [
  'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November',
  'December',
];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const eras = { short: ['BC', 'AD'], long: ['Before Christ', 'Anno Domini'], narrow: ['B', 'A'] };

const dateStyles = {
  full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  long: { year: 'numeric', month: 'long', day: 'numeric' },
  medium: { year: 'numeric', month: 'short', day: 'numeric' },
  short: { year: '2-digit', month: 'numeric', day: 'numeric' },
};
const timeStyles = {
  full: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'long' },
  long: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
  medium: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
  short: { hour: 'numeric', minute: '2-digit' },
};

/** The parts ({type, value}) of the instant `time`, in milliseconds, by the resolved settings of a format. */
export function dateParts(time, settings) {
  const fields = { ...settings, ...dateStyles[settings.dateStyle], ...timeStyles[settings.timeStyle] };
  // The shifted instant's UTC fields are the local ones.
  const date = new Date(time + settings.offset);
  const day = dayParts(date, fields);
  const clock = clockParts(date, fields);
  const zone = zonePart(fields);
  if (day.length === 0) return [...clock, ...(zone ? spaced(clock, zone) : [])];
  if (clock.length === 0) return zone ? [...day, literal(joint(fields)), zone] : day;
  return [...day, literal(joint(fields)), ...clock, ...(zone ? spaced(clock, zone) : [])];
}

const literal = (value) => ({ type: 'literal', value });
const spaced = (before, part) => (before.length > 0 ? [literal(' '), part] : [part]);

// What stands between the date and the time.
function joint({ month, day, year, weekday }) {
  if (month === 'long') return ' at ';
  return weekday !== undefined && month === undefined && day === undefined && year === undefined ? ' ' : ', ';
}

const padded = (number, style) => (style === '2-digit' ? String(number % 100).padStart(2, '0') : String(number));
const styled = (name, style) => (style === 'long' ? name : name.slice(0, style === 'narrow' ? 1 : 3));

function dayParts(date, fields) {
  const isText = ['long', 'short', 'narrow'].includes(fields.month);
  const number = date.getUTCMonth();
  const part = (type, value) => (fields[type] === undefined ? undefined : { type, value });
  const era = part('era', eras[fields.era]?.[date.getUTCFullYear() > 0 ? 1 : 0]);
  const fullYear = date.getUTCFullYear();
  // Years before 1 are counted back from 1 BC; without an era they keep that number.
  const year = part('year', padded(fullYear > 0 ? fullYear : 1 - fullYear, fields.year));
  const month = part('month', isText ? styled(months[number], fields.month) : padded(number + 1, fields.month));
  const day = part('day', padded(date.getUTCDate(), fields.day));
  const weekday = part('weekday', styled(weekdays[date.getUTCDay()], fields.weekday));
  const core = isText ? textDate(month, day, year) : numericDate(month, day, year);
  const dated = era === undefined ? core : [...core, ...spaced(core, era)];
  if (weekday === undefined) return dated;
  if (dated.length === 0) return [weekday];
  return month !== undefined && day !== undefined
    ? [weekday, literal(', '), ...dated]
    : [...dated, literal(' '), weekday];
}

// Mar 5, 2024
function textDate(month, day, year) {
  const parts = [month];
  if (day !== undefined) parts.push(literal(' '), day);
  if (year !== undefined) parts.push(literal(day === undefined ? ' ' : ', '), year);
  return parts;
}

// 3/5/2024
function numericDate(month, day, year) {
  if (month === undefined && day !== undefined && year !== undefined) {
    return [year, literal(' (day: '), day, literal(')')];
  }
  const present = [month, day, year].filter((part) => part !== undefined);
  return present.flatMap((part, index) => (index > 0 ? [literal('/'), part] : [part]));
}

function clockParts(date, fields) {
  const parts = [];
  const add = (separator, type, value) => {
    if (parts.length > 0) parts.push(literal(separator));
    parts.push({ type, value });
  };
  const hours = date.getUTCHours();
  if (fields.hour !== undefined) add('', 'hour', padded(shownHour(hours, fields.hourCycle), hourStyle(fields)));
  // A minute or second alone is never padded, one after another field always is.
  const isMixed = fields.hour !== undefined || (fields.minute !== undefined && fields.second !== undefined);
  const style = isMixed ? '2-digit' : 'numeric';
  if (fields.minute !== undefined) add(':', 'minute', padded(date.getUTCMinutes(), style));
  if (fields.second !== undefined) add(':', 'second', padded(date.getUTCSeconds(), style));
  if (fields.fractionalSecondDigits !== undefined) {
    const digits = String(date.getUTCMilliseconds()).padStart(3, '0').slice(0, fields.fractionalSecondDigits);
    add('.', 'fractionalSecond', digits);
  }
  if (fields.hour !== undefined && fields.hour12) {
    parts.push(literal(' '), { type: 'dayPeriod', value: hours < 12 ? 'AM' : 'PM' });
  }
  return parts;
}

const hourStyle = ({ hour, hour12 }) => (hour12 ? hour : '2-digit');

function shownHour(hours, cycle) {
  switch (cycle) {
    case 'h11':
      return hours % 12;
    case 'h12':
      return hours % 12 || 12;
    case 'h24':
      return hours || 24;
    default:
      return hours;
  }
}

function zonePart({ timeZoneName, timeZone, offset }) {
  if (timeZoneName === undefined) return undefined;
  return { type: 'timeZoneName', value: zoneName(timeZoneName, timeZone, offset) };
}

function zoneName(style, timeZone, offset) {
  if (timeZone === 'UTC' && style === 'short') return 'UTC';
  if (timeZone === 'UTC' && style === 'long') return 'Coordinated Universal Time';
  const minutes = Math.abs(offset) / 60_000;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map(String);
  const sign = offset < 0 ? '-' : '+';
  if (style.startsWith('long')) return `GMT${sign}${hours.padStart(2, '0')}:${rest.padStart(2, '0')}`;
  return `GMT${sign}${hours}${rest === '0' ? '' : `:${rest.padStart(2, '0')}`}`;
}
