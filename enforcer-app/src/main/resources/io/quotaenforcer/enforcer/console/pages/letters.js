import {api} from '../api.js';
import {changing} from '../confirm.js';
import {h, link, table} from '../dom.js';
import {ago, bytes, number} from '../format.js';

/** Most letters of one redrive. */
const AT_ONCE = 50;

/** Dead letters: why they are there, and their way back. */
export function letters({signal, failed, mayChange}) {
  const topic = h('input', {name: 'topic', placeholder: 'quota.deferred'});
  const reason = h('input', {name: 'reason', placeholder: 'cancelled'});
  const rule = h('input', {name: 'rule', placeholder: 'domain/rule-id'});
  const id = h('input', {name: 'id', placeholder: 'id, or a place as 0-17'});
  const causes = h('div');
  const list = h('div', {'aria-live': 'polite'});
  const said = h('p');
  const chosen = new Set();
  const redrive = mayChange ? changing({
    text: 'Redrive the chosen',
    question: () => `Write ${number(chosen.size)} dead letter(s) back to where they came from? Deferred requests wait again; anything else helps only if the cause is gone.`,
    yes: 'Redrive them',
    enabled: mayRedrive,
    said,
    run: async () => {
      const answer = await api.post('/dead-letters:redrive', {places: [...chosen]});
      chosen.clear();
      run();
      return `Redriven: ${number(answer.redriven)}. `
        + answer.letters.filter((one) => one.outcome !== 'redriven').map((one) => `${one.place} ${one.outcome}.`).join(' ');
    },
  }) : null;

  function mayRedrive() {
    return chosen.size > 0 && chosen.size <= AT_ONCE;
  }

  function enable() {
    if (redrive) redrive.disabled = !mayRedrive();
  }

  function choice(row) {
    return h('input', {
      type: 'checkbox',
      'aria-label': 'Choose ' + row.place,
      onchange: (event) => {
        if (event.target.checked) chosen.add(row.place);
        else chosen.delete(row.place);
        enable();
      },
    });
  }

  async function counted() {
    const answer = await api.get('/dead-letters/reasons', {}, signal);
    causes.replaceChildren(
      table(`Reasons of the newest ${number(answer.counted)}${answer.more ? ', there are older ones' : ''}`, [
        {title: 'Letters', number: true, of: (row) => number(row.letters)},
        {title: 'Reason', of: (row) => h('button', {onclick: () => only(row), 'aria-label': `Only ${row.reason} of ${row.topic}`}, row.reason || '–'), key: true},
        {title: 'Came from', of: (row) => row.topic || '–'},
        {title: 'The newest', of: (row) => ago(row.newestAt)},
      ], answer.reasons, 'There is no dead letter.'),
      answer.others ? h('p', {class: 'faint'}, `${number(answer.others)} of other reasons.`) : '');
  }

  function only(row) {
    topic.value = row.topic;
    reason.value = row.reason;
    run();
  }

  async function show(before = '') {
    chosen.clear();
    const asked = {topic: topic.value.trim(), reason: reason.value.trim(), rule: rule.value.trim(), id: id.value.trim(), before, limit: 50};
    const answer = await api.get('/dead-letters', asked, signal);
    list.replaceChildren(
      table('Dead letters, the newest first', [
        ...(mayChange ? [{title: 'Redrive', of: choice}] : []),
        {title: 'Place', of: (row) => row.place},
        {title: 'Put aside', of: (row) => h('time', {datetime: row.time, title: row.time}, ago(row.time))},
        {title: 'Reason', of: (row) => row.reason, key: true},
        {title: 'Came from', of: (row) => row.topic || '–'},
        {title: 'Id', of: (row) => row.id || '–', key: true},
        {title: 'Quota key', of: (row) => (row.quotaKey ? link(row.quotaKey, 'key', row.quotaKey) : '–'), key: true},
        {title: 'Size', number: true, of: (row) => bytes(row.bytes)},
        {title: 'Redriven', of: (row) => (row.redrivenAt ? ago(row.redrivenAt) : '–')},
      ], answer.letters, `None is among the newest ${number(answer.lookedAt)} records.`),
      answer.next ? h('button', {onclick: () => run(answer.next)}, 'Older ones') : '');
    enable();
  }

  function run(before) {
    Promise.all([show(before), counted()])
      .then(() => failed(null), (failure) => { if (!signal.aborted) failed(failure); });
  }

  run();
  return h('section', null,
    h('h1', null, 'Dead letters'),
    causes,
    h('form', {role: 'search', onsubmit: (event) => { event.preventDefault(); run(); }},
      h('label', null, 'Came from', topic), h('label', null, 'Reason has', reason),
      h('label', null, 'Rule', rule), h('label', null, 'Id or place', id),
      h('button', {class: 'main'}, 'Find')),
    said, list,
    redrive ? h('div', {class: 'row'}, redrive, h('span', {class: 'faint'}, `At most ${AT_ONCE} at once.`)) : null);
}
