import {api} from '../api.js';
import {h, mark, table} from '../dom.js';
import {ago, number} from '../format.js';

const LOOKS = {done: 'good', refused: 'warn', failed: 'bad'};

function what(row) {
  const version = row.versionAfter === undefined ? '' : `version ${row.versionBefore ?? 'none'} to ${row.versionAfter}`;
  const count = row.count === undefined ? '' : `${number(row.count)} of them`;
  return [version, count, row.reason].filter((part) => part).join('; ');
}

/** Who changed what, or was refused. */
export function changes({signal, failed}) {
  const list = h('div', {'aria-live': 'polite'});
  async function show(before = '') {
    const answer = await api.get('/audit', {before, limit: 50}, signal);
    list.replaceChildren(
      table('What was changed by console and HTTP API, the newest first', [
        {title: 'When', of: (row) => (row.at ? h('time', {datetime: row.at, title: row.at}, ago(row.at)) : row.place)},
        {title: 'Who', of: (row) => row.caller ?? '–'},
        {title: 'From', of: (row) => row.address ?? '–'},
        {title: 'What', of: (row) => row.action ?? 'cannot be read'},
        {title: 'Of', of: (row) => row.target ?? '–', key: true},
        {title: 'Outcome', of: (row) => (row.outcome ? mark(row.outcome, LOOKS[row.outcome] ?? 'bad') : '–')},
        {title: 'With', of: (row) => row.unreadable ?? what(row), key: true},
      ], answer.changes, 'Nothing was changed yet.'),
      answer.next ? h('button', {onclick: () => run(answer.next)}, 'Older ones') : '');
  }
  function run(before) {
    show(before).then(() => failed(null), (failure) => { if (!signal.aborted) failed(failure); });
  }
  run();
  return h('section', null, h('h1', null, 'Changes'),
    h('p', {class: 'faint'}, 'What the command line changes is not here: it writes to Kafka by itself. Of rules, a rule’s history has both.'),
    list, h('button', {onclick: () => run()}, 'Read again'));
}
