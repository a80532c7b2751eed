import {api} from '../api.js';
import {h, link, table} from '../dom.js';
import {ago, number} from '../format.js';
import {every} from '../live.js';

const SORTS = {throttled: 'throttled', used: 'admitted', demand: 'asked for'};

/** Finds quota keys: by their beginning, or those with most. */
export function keys({parts, signal, failed}) {
  const begun = parts[0] ?? '';
  const prefix = h('input', {type: 'search', name: 'prefix', placeholder: 'domain/rule-id/value', value: begun});
  const found = h('div', {'aria-live': 'polite'});
  const by = h('select', null, Object.entries(SORTS).map(([name, title]) => h('option', {value: name}, title)));
  const top = h('div');
  let refresh = () => {};

  async function search(after = '') {
    const answer = await api.get('/keys', {prefix: prefix.value.trim(), after, limit: 50}, signal);
    const behind = answer.partitions.answered.length < answer.partitions.all
      ? `${answer.partitions.answered.length} of ${answer.partitions.all} partitions were searched.` : '';
    found.replaceChildren(
      table(`Quota keys that begin with ${prefix.value}`, [
        {title: 'Quota key', of: (row) => link(row.quotaKey, 'key', row.quotaKey), key: true},
        {title: 'Used', number: true, of: (row) => number(row.used)},
        {title: 'Available', number: true, of: (row) => number(row.available)},
        {title: 'Held', number: true, of: (row) => number(row.outstanding)},
        {title: 'Holders', number: true, of: (row) => row.holders},
        {title: 'Reported', of: (row) => ago(row.reportedAt)},
      ], answer.keys, 'None is known.'),
      behind ? h('p', {class: 'warn'}, behind) : '',
      answer.more ? h('button', {onclick: () => run(answer.keys[answer.keys.length - 1].quotaKey)}, 'Next page') : '');
  }

  function run(after) {
    search(after).then(() => failed(null), (failure) => { if (!signal.aborted) failed(failure); });
  }

  async function busiest() {
    const chosen = by.value;
    const answer = await api.get('/keys/top', {by: chosen, limit: 20}, signal);
    if (chosen !== by.value) return;
    top.replaceChildren(table('In about the last minute', [
      {title: 'Quota key', of: (row) => link(row.quotaKey, 'key', row.quotaKey), key: true},
      {title: 'Permits/s', number: true, of: (row) => number(row.perSecond)},
      {title: 'Too large by, at most', number: true, of: (row) => number(row.over)},
    ], answer.keys, 'None.'));
  }

  refresh = () => busiest().catch((failure) => { if (!signal.aborted) failed(failure); });
  by.addEventListener('change', () => refresh());
  every(3000, signal, busiest, failed);
  if (begun) run();
  return h('section', null,
    h('h1', null, 'Keys'),
    h('form', {role: 'search', onsubmit: (event) => { event.preventDefault(); run(); }},
      h('label', null, 'Begins with', prefix), h('button', {class: 'main'}, 'Search')),
    found,
    h('h2', null, 'Most'),
    h('div', {class: 'row'}, h('label', null, 'By what was', by)),
    top);
}
