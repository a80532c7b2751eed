import {api} from '../api.js';
import {changing} from '../confirm.js';
import {h, link, table} from '../dom.js';
import {ago, bytes, number} from '../format.js';
import {every} from '../live.js';
import {ruleLink} from './rules.js';

/** Deferred requests: by rule, or those of one rule. */
export function deferred({parts, signal, failed, mayChange}) {
  return parts.length === 2 ? requests(parts.join('/'), signal, failed, mayChange) : queues(signal, failed);
}

function queues(signal, failed) {
  const list = h('div');
  every(3000, signal, async () => {
    const answer = await api.get('/deferred', {}, signal);
    list.replaceChildren(table('Waiting, by rule', [
      {title: 'Rule', of: (row) => link(row.rule, 'deferred', ...row.rule.split('/')), key: true},
      {title: 'Waiting', number: true, of: (row) => number(row.waiting)},
      {title: 'Keys', number: true, of: (row) => number(row.keys)},
      {title: 'Size', number: true, of: (row) => bytes(row.bytes)},
      {title: 'Released, not acknowledged', number: true, of: (row) => number(row.unacknowledged)},
      {title: 'Oldest', of: (row) => ago(row.oldestSince)},
    ], answer.queues, 'No request waits.'));
  }, failed);
  return h('section', null, h('h1', null, 'Deferred'), list);
}

function requests(rule, signal, failed, mayChange) {
  const list = h('div');
  const said = h('p');
  const purge = changing({
    text: 'Cancel all that wait',
    question: () => `Take all waiting requests of ${rule} out of their queues? Each becomes a dead letter.`,
    yes: 'Cancel them all',
    reason: true,
    said,
    run: async (reason) => {
      const answer = await api.post('/deferred:purge', {rule, ...why(reason)});
      run();
      return `Cancelled: ${number(answer.requests - (answer.left ?? 0))}; ${number(answer.left)} wait.`;
    },
  });
  function change(row, path, text, question, yes) {
    return changing({
      text,
      label: `${text} ${row.id}`,
      question: () => question,
      yes,
      reason: true,
      said,
      run: async (reason) => {
        const answer = await api.post('/deferred/requests:' + path, {id: row.id, key: row.quotaKey, ...why(reason)});
        run();
        return `${answer.id}: ${answer.outcome}`;
      },
    });
  }
  const actions = (row) => (row.state === 'waiting' ? h('div', {class: 'row'},
    change(row, 'release', 'Release', `Make ${row.id} the next of its quota key? It still needs permits.`, 'Release it'),
    change(row, 'cancel', 'Cancel', `Take ${row.id} out of its queue? It becomes a dead letter.`, 'Cancel it')) : '');
  async function show(after = '') {
    const answer = await api.get('/deferred/requests', {rule, after, limit: 50}, signal);
    list.replaceChildren(
      table('In the order of release', [
        {title: 'Id', of: (row) => row.id, key: true},
        {title: 'Quota key', of: (row) => link(row.quotaKey, 'key', row.quotaKey), key: true},
        {title: 'State', of: (row) => row.state},
        {title: 'Cost', number: true, of: (row) => number(row.cost)},
        {title: 'Size', number: true, of: (row) => bytes(row.bytes)},
        {title: 'Deferred', of: (row) => ago(row.deferredAt)},
        {title: 'Deadline', of: (row) => ago(row.deadline)},
        ...(mayChange ? [{title: '', of: actions}] : []),
      ], answer.requests, 'No request of this rule waits.'),
      answer.more ? h('button', {onclick: () => run(answer.requests[answer.requests.length - 1].place)}, 'Next page') : '');
  }
  function run(after) {
    show(after).then(() => failed(null), (failure) => { if (!signal.aborted) failed(failure); });
  }
  run();
  return h('section', null, h('h1', null, 'Deferred: ' + rule), h('p', null, link('All rules', 'deferred'), ' · ', ruleLink(rule)),
    said, list, h('div', {class: 'row'}, h('button', {onclick: () => run()}, 'Read again'), mayChange ? purge : null));
}

function why(reason) {
  return reason ? {reason} : {};
}
