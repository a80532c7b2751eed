import {api} from '../api.js';
import {h, link, table} from '../dom.js';
import {ago, bytes, number} from '../format.js';
import {every} from '../live.js';
import {ruleLink} from './rules.js';

/** Deferred requests: by rule, or those of one rule. */
export function deferred({parts, signal, failed}) {
  return parts.length === 2 ? requests(parts.join('/'), signal, failed) : queues(signal, failed);
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

function requests(rule, signal, failed) {
  const list = h('div');
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
      ], answer.requests, 'No request of this rule waits.'),
      answer.more ? h('button', {onclick: () => run(answer.requests[answer.requests.length - 1].place)}, 'Next page') : '');
  }
  function run(after) {
    show(after).then(() => failed(null), (failure) => { if (!signal.aborted) failed(failure); });
  }
  run();
  return h('section', null, h('h1', null, 'Deferred: ' + rule), h('p', null, link('All rules', 'deferred'), ' · ', ruleLink(rule)),
    list, h('button', {onclick: () => run()}, 'Read again'));
}
