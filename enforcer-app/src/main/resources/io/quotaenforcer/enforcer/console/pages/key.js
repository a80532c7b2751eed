import {api} from '../api.js';
import {changing} from '../confirm.js';
import {h, table, tiles} from '../dom.js';
import {ago, clock, number} from '../format.js';
import {every} from '../live.js';
import {plot} from '../plot.js';
import {ruleLink} from './rules.js';

const MOST_BARS = 30;

/** One quota key: its windows, and who holds what. */
export function key({parts, signal, failed, mayChange}) {
  const name = parts[0] ?? '';
  const numbers = h('div');
  const notes = h('div');
  const said = h('p');
  const lift = changing({
    text: 'Lift the penalty',
    question: () => `End the penalty of ${name}, and forget what would bring the next one?`,
    yes: 'Lift it',
    said,
    run: async () => `${name}: ${(await api.post('/penalties:lift', {key: name})).outcome}`,
  });
  const chart = h('div', {class: 'plot', role: 'img', 'aria-label': 'Permits asked for and used by window; the numbers are in the table below'});
  const windows = h('div');
  const holders = h('div');
  const ends = h('p', {class: 'bad'});
  // The button stays where it is while numbers are renewed: else it would lose the focus.
  const penalty = h('div', {hidden: true}, ends, mayChange ? lift : null);
  let draw;
  every(2000, signal, async () => {
    const answer = await api.get('/keys/show', {key: name}, signal);
    numbers.replaceChildren(tiles([
      ['Limit', answer.limit],
      ['Available', number(answer.available)],
      ['Held', number(answer.outstanding)],
      ['Holders', number(answer.holders.length)],
    ]));
    penalty.hidden = !answer.penaltyUntil;
    ends.textContent = answer.penaltyUntil ? `A penalty refuses it altogether; it ends ${ago(answer.penaltyUntil)}.` : '';
    notes.replaceChildren(
      answer.stale ? h('p', {class: 'warn'}, `Told by a copy, which has ${number(answer.stale.recordsBehind)} changes to read: whoever counts this key does not answer.`) : '');
    const oldestFirst = answer.windows.slice(0, MOST_BARS).reverse();
    if (oldestFirst.length > 1) {
      draw ??= plot(chart, ['asked for', 'used'], {bars: true});
      draw([oldestFirst.map((one) => Date.parse(one.start) / 1000), oldestFirst.map((one) => one.used + one.throttled), oldestFirst.map((one) => one.used)]);
    }
    windows.replaceChildren(table('Windows, the newest first', [
      {title: 'Begins', of: (row) => clock(row.start)},
      {title: 'Used', number: true, of: (row) => number(row.used)},
      {title: 'Throttled', number: true, of: (row) => number(row.throttled)},
    ], answer.windows.slice(0, MOST_BARS), 'Nothing was counted.'));
    holders.replaceChildren(table('Who holds permits of it', [
      {title: 'Instance', of: (row) => row.instance, key: true},
      {title: 'Held', number: true, of: (row) => number(row.outstanding)},
      {title: 'Share', number: true, of: (row) => number(row.share)},
      {title: 'Demand/s', number: true, of: (row) => number(row.demandPerSecond)},
      {title: 'Reported', of: (row) => ago(row.reportedAt)},
    ], answer.holders, 'Nobody.'));
  }, failed);
  return h('section', null, h('h1', null, name),
    h('p', null, 'Of the rule ', ruleLink(name.split('/').slice(0, 2).join('/'))),
    numbers, penalty, said, notes, chart, h('div', {class: 'two'}, windows, holders));
}
