import {api} from '../api.js';
import {h, say} from '../dom.js';
import {diff} from '../diff.js';

/** Domain and id of the only rule of a valid file; null for more than one. */
function only(checked) {
  return checked.valid && checked.explanations.length === 1 ? checked.explanations[0].rule : null;
}

function offset(text, line, column) {
  const lines = text.split('\n').slice(0, Math.max(0, line - 1));
  return lines.reduce((sum, one) => sum + one.length + 1, 0) + Math.max(0, column - 1);
}

/**
 * A rule file that is checked as it is written, and published by operators.
 *
 * @param etag of the version that it replaces; null for a new rule
 * @param published called once it is published
 * @returns its `element`, and `write`, which replaces the text
 */
export function editor({yaml, etag, mayChange, signal, published}) {
  let asked = new AbortController();
  let timer;
  let checked = null;
  const text = h('textarea', {spellcheck: 'false', 'aria-label': 'Rule file', readonly: !mayChange, value: yaml});
  const verdict = h('div', {'aria-live': 'polite'});
  const changes = h('div');
  const apply = h('button', {class: 'main', disabled: true, onclick: publish}, 'Publish');

  function changed() {
    checked = null;
    apply.disabled = true;
    clearTimeout(timer);
    timer = setTimeout(check, 300);
  }

  async function check() {
    asked.abort();
    asked = new AbortController();
    const wanted = text.value;
    try {
      checked = await api.validate(wanted, asked.signal);
    } catch (failure) {
      if (failure.name !== 'AbortError') verdict.replaceChildren(h('p', {class: 'bad'}, failure.message));
      return;
    }
    if (signal.aborted || wanted !== text.value) return;
    const isChanged = etag === null || wanted !== yaml;
    apply.disabled = !(only(checked) && isChanged);
    verdict.replaceChildren(...told(checked));
    changes.replaceChildren(...(isChanged && etag !== null ? [shown(diff(yaml, wanted))] : []));
  }

  function told({valid, problems, explanations}) {
    if (!valid) {
      return [h('p', {class: 'bad'}, `Not valid: ${problems.length === 1 ? 'a problem' : problems.length + ' problems'}`),
        h('ul', {class: 'problems'}, problems.map((problem) => h('li', null,
          h('button', {
            onclick: () => {
              const at = offset(text.value, problem.line, problem.column);
              text.focus();
              text.setSelectionRange(at, at);
            },
          }, `${problem.line}:${problem.column}`), ' ' + problem.message)))];
    }
    const warnings = explanations.flatMap((one) => one.warnings);
    return [h('p', {class: 'good'}, 'Valid: ' + explanations.map((one) => one.summary).join('; ')),
      ...(explanations.length > 1 ? [h('p', {class: 'warn'}, 'One rule at a time is published here.')] : []),
      ...warnings.map((warning) => h('p', {class: 'warn'}, warning))];
  }

  function shown(lines) {
    const sign = {same: '  ', removed: '- ', added: '+ '};
    return h('pre', {'aria-label': 'Changes'}, lines.map((line) => h('span', {class: line.kind}, sign[line.kind] + line.text)));
  }

  async function publish() {
    apply.disabled = true;
    const rule = only(checked);
    try {
      const answer = await api.putRule(rule.split('/').map(encodeURIComponent).join('/'), text.value, etag);
      say(`${rule} is ${answer.change}, version ${answer.version}`);
      verdict.replaceChildren(h('p', {class: 'good'}, `${rule}: ${answer.change}, version ${answer.version}`
        + (answer.countsAnew ? '; it counts anew' : '')));
      if (published) await published();
      else location.hash = '#/rule/' + rule.split('/').map(encodeURIComponent).join('/');
    } catch (failure) {
      verdict.replaceChildren(h('p', {role: 'alert', class: 'bad'}, 'Not published: ' + failure.message));
      apply.disabled = false;
    }
  }

  text.addEventListener('input', changed);
  if (mayChange) check();
  const element = h('div', {class: 'two'}, h('div', null, text, mayChange ? h('div', {class: 'row'}, apply) : null), h('div', null, verdict, changes));
  return {
    element,
    /** Replaces what is written, as of an older version. */
    write(older) {
      text.value = older;
      changed();
      text.scrollIntoView({block: 'center'});
      text.focus({preventScroll: true});
    },
  };
}
