import {api} from '../api.js';
import {h, link, mark, say, table, tiles} from '../dom.js';
import {millis, number, span} from '../format.js';
import {every, overviews} from '../live.js';
import {plot} from '../plot.js';

const LOOKS = {ready: 'good', starting: 'warn', gone: 'warn', failing: 'bad', failed: 'bad'};
const MOST_POINTS = 300;
const GAP_SECONDS = 10;

/** Points of this tab since it was opened, so that a plot has a past when one comes back to it. */
const past = {times: [], admitted: [], throttled: []};

function point(time, admitted, throttled) {
  past.times.push(time);
  past.admitted.push(admitted);
  past.throttled.push(throttled);
}

function left(seconds) {
  return `since ${span(seconds)}: it has ended, stands still or is cut off; others have its partitions`;
}

function note(totals) {
  const now = Date.now() / 1000;
  // What was not seen is a gap, and no straight line.
  if (now - past.times.at(-1) > GAP_SECONDS) point(now - 1, null, null);
  point(now, totals.admittedPerSecond, totals.throttledPerSecond);
  for (const series of Object.values(past)) {
    if (series.length > MOST_POINTS) series.shift();
  }
}

/** What all enforcers do now. */
export function overview({signal, failed}) {
  const numbers = h('div');
  const chart = h('div', {class: 'plot', role: 'img', 'aria-label': 'Permits per second, admitted and throttled; the numbers are above'});
  const enforcers = h('div');
  const top = h('div');
  let draw;
  const how = h('p', {class: 'faint'});
  overviews(signal, (now, isPushed) => {
    how.textContent = isPushed ? 'Live: pushed by the enforcer once a second.' : 'Asked for every two seconds: there is no stream.';
    note(now.totals);
    draw ??= plot(chart, ['admitted', 'throttled']);
    draw([past.times, past.admitted, past.throttled]);
    numbers.replaceChildren(tiles([
      ['Admitted a second', number(now.totals.admittedPerSecond)],
      ['Throttled a second', number(now.totals.throttledPerSecond)],
      ['Requests deferred', number(now.totals.deferred)],
      ['Loop', millis(now.totals.loopMillis)],
      ['Records to read', number(now.totals.lag)],
      ['Partitions counted', number(now.totals.partitions)],
    ]));
    const silent = new Set(now.missing.map((one) => one.enforcer));
    const rows = [
      ...now.enforcers,
      ...now.missing.map((one) => ({...one, health: {status: 'silent', reason: one.why}})),
      ...now.gone.filter((one) => !silent.has(one.enforcer)).map((one) => ({...one, health: {status: 'gone', reason: left(one.seconds)}})),
    ];
    enforcers.replaceChildren(table('Enforcers', [
      {title: 'Enforcer', of: (row) => row.enforcer, key: true},
      {title: 'Health', of: (row) => mark(row.health.status, LOOKS[row.health.status] ?? 'bad')},
      {title: 'Why', of: (row) => row.health.reason},
      {title: 'Version', of: (row) => row.version},
      {title: 'Partitions', of: (row) => row.partitions?.join(', ')},
      {title: 'Admitted/s', number: true, of: (row) => number(row.admittedPerSecond)},
      {title: 'Reports/s', number: true, of: (row) => number(row.reportsPerSecond)},
      {title: 'Loop', number: true, of: (row) => millis(row.loopMillis)},
      {title: 'Lag', number: true, of: (row) => number(row.lag)},
    ], rows, 'No enforcer answers.'));
  }, (changed) => say(`${changed.enforcer} is ${changed.status}${changed.reason ? ': ' + changed.reason : ''}`), failed);
  every(3000, signal, async () => {
    const busiest = await api.get('/keys/top', {by: 'throttled', limit: 5}, signal);
    top.replaceChildren(table('Most throttled in about the last minute', [
      {title: 'Quota key', of: (row) => link(row.quotaKey, 'key', row.quotaKey), key: true},
      {title: 'Permits/s', number: true, of: (row) => number(row.perSecond)},
    ], busiest.keys, 'Nobody is throttled.'));
  }, failed);
  return h('section', null, h('h1', null, 'Overview'), numbers, chart, how, enforcers, h('h2', null, 'Throttled'), top);
}
