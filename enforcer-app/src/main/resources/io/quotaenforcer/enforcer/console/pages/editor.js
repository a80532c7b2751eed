import {api} from '../api.js';
import {h, say} from '../dom.js';
import {diff} from '../diff.js';
import {backtest} from './backtest.js';

/**
 * Publishes the rules of a file as one change.
 *
 * @param seen the versions of the rules that were shown, by id
 * @param known those of other rules, by domain and id
 */
async function publishAll(yaml, rules, seen, known) {
  const versions = rules.map((rule) => {
    const id = rule.split('/')[1];
    return `${id}:${seen.get(id) ?? known.get(rule) ?? 0}`;
  });
  return (await api.putRules(rules[0].split('/')[0], yaml, versions.join(','))).rules;
}

function offset(text, line, column) {
  const lines = text.split('\n').slice(0, Math.max(0, line - 1));
  return lines.reduce((sum, one) => sum + one.length + 1, 0) + Math.max(0, column - 1);
}

/**
 * A rule file that is checked as it is written, and published by operators.
 *
 * @param etag of the version that it replaces; null for a new rule
 * @param versions of the rules of the file, as `id:version,...`
 * @param published called once it is published
 * @returns its `element`, and `write`, which replaces the text
 */
export function editor({yaml, etag, versions, mayChange, signal, published}) {
  let asked = new AbortController();
  let timer;
  let checked = null;
  let known = new Map();
  const text = h('textarea', {spellcheck: 'false', 'aria-label': 'Rule file', readonly: !mayChange, value: yaml});
  const verdict = h('div', {'aria-live': 'polite'});
  const changes = h('div');
  const apply = h('button', {class: 'main', disabled: true, onclick: publish}, 'Publish');
  const seen = new Map(versions.split(',').filter((one) => one !== '').map((one) => one.split(':')));
  const trial = backtest({file: () => text.value, signal});

  function changed() {
    checked = null;
    apply.disabled = true;
    trial.allow(false);
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
    apply.disabled = !(checked.valid && checked.explanations.length > 0 && isChanged);
    trial.allow(checked.valid);
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
      ...(explanations.length > 1 ? [h('p', {class: 'faint'}, `These ${explanations.length} rules are published as one change.`)] : []),
      ...warnings.map((warning) => h('p', {class: 'warn'}, warning))];
  }

  function shown(lines) {
    const sign = {same: '  ', removed: '- ', added: '+ '};
    return h('pre', {'aria-label': 'Changes'}, lines.map((line) => h('span', {class: line.kind}, sign[line.kind] + line.text)));
  }

  async function publish() {
    apply.disabled = true;
    const rules = checked.explanations.map((one) => one.rule);
    const path = rules[0].split('/').map(encodeURIComponent).join('/');
    try {
      const answers = rules.length === 1 ? [await api.putRule(path, text.value, etag)] : await publishAll(text.value, rules, seen, known);
      const told = answers.map((one) => `${one.rule}: ${one.change}, version ${one.version}${one.countsAnew ? '; it counts anew' : ''}`);
      say(told.join(', '));
      verdict.replaceChildren(...told.map((line) => h('p', {class: 'good'}, line)));
      if (published) await published();
      else location.hash = '#/rule/' + path;
    } catch (failure) {
      verdict.replaceChildren(h('p', {role: 'alert', class: 'bad'}, 'Not published: ' + failure.message));
      apply.disabled = false;
    }
  }

  text.addEventListener('input', changed);
  if (mayChange) {
    api.get('/rules', {}, signal).then(
      (answer) => { known = new Map(answer.rules.map((one) => [one.rule, one.version])); },
      () => {});
    check();
  }
  const element = h('div', null,
    h('div', {class: 'two'}, h('div', null, text, mayChange ? h('div', {class: 'row'}, apply, trial.button) : null), h('div', null, verdict, changes)),
    trial.element);
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
