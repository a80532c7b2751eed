import {api} from '../api.js';
import {h, mark, table} from '../dom.js';
import {ago, millis, number} from '../format.js';
import {every} from '../live.js';

const SILENT_MILLIS = 60_000;

/** Who reports. */
export function instances({signal, failed}) {
  const list = h('div');
  every(3000, signal, async () => {
    const answer = await api.get('/instances', {limit: 200}, signal);
    const now = Date.now();
    list.replaceChildren(
      table('Heard in the last ten minutes', [
        {title: 'Instance', of: (row) => row.instance, key: true},
        {title: 'Kind', of: (row) => row.kind},
        {title: 'Heard', of: (row) => (now - Date.parse(row.heardAt) > SILENT_MILLIS ? mark(ago(row.heardAt), 'warn') : ago(row.heardAt))},
        {title: 'Loop', number: true, of: (row) => millis(row.loopMillis)},
        {title: 'Keys in its newest reports', number: true, of: (row) => number(row.quotaKeys)},
        {title: 'Epoch', of: (row) => row.epoch},
      ], answer.instances, 'No instance has reported in the last ten minutes.'),
      answer.more ? h('p', {class: 'faint'}, 'There are more: those heard last are shown.') : '');
  }, failed);
  return h('section', null, h('h1', null, 'Instances'), list);
}
