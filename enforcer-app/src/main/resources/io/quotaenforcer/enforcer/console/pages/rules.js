import {api} from '../api.js';
import {h, link, mark, table} from '../dom.js';
import {number} from '../format.js';
import {every} from '../live.js';

/** The path of a rule's page. */
export function ruleLink(rule) {
  return link(rule, 'rule', ...rule.split('/'));
}

/** The rules in force. */
export function rules({signal, failed, mayChange}) {
  const list = h('div');
  every(5000, signal, async () => {
    const answer = await api.get('/rules', {}, signal);
    list.replaceChildren(table('In force', [
      {title: 'Rule', of: (row) => ruleLink(row.rule), key: true},
      {title: 'Mode', of: (row) => mark(row.mode, row.mode === 'enforce' ? 'good' : 'warn')},
      {title: 'Enforcement', of: (row) => row.enforcement},
      {title: 'Summary', of: (row) => row.summary, key: true},
      {title: 'Over, at most', number: true, of: (row) => number(row.bound)},
      {title: '… with no enforcer', number: true, of: (row) => (row.boundAway === undefined ? 'no bound' : number(row.boundAway))},
      {title: 'Version', number: true, of: (row) => row.version},
    ], answer.rules, 'No rules yet.'));
  }, failed);
  return h('section', null, h('h1', null, 'Rules'), list,
    mayChange ? h('p', null, link('Write a new rule', 'rule')) : null);
}
