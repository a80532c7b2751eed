const whole = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const fine = new Intl.NumberFormat('en', {maximumSignificantDigits: 3});
const compact = new Intl.NumberFormat('en', {notation: 'compact', maximumSignificantDigits: 3});

/** A number, to three places where it is small; a dash for none. */
export function number(value) {
  if (value === undefined || value === null) return '–';
  return Math.abs(value) >= 100 || Number.isInteger(value) ? whole.format(value) : fine.format(value);
}

export function bytes(value) {
  return value === undefined ? '–' : compact.format(value) + 'B';
}

export function millis(value) {
  return value === undefined ? '–' : number(value) + ' ms';
}

/** How long ago, or ahead, a time is. */
export function ago(time, now = Date.now()) {
  if (!time) return '–';
  const seconds = Math.round((now - Date.parse(time)) / 1000);
  if (seconds < 0) return 'in ' + span(-seconds);
  return seconds < 2 ? 'now' : span(seconds) + ' ago';
}

export function span(seconds) {
  if (seconds < 120) return seconds + ' s';
  if (seconds < 7200) return Math.round(seconds / 60) + ' min';
  return seconds < 172800 ? Math.round(seconds / 3600) + ' h' : Math.round(seconds / 86400) + ' d';
}

export function clock(time) {
  return time ? new Date(time).toLocaleTimeString() : '–';
}
