import {api} from '../api.js';
import {h, link, mark, say, table} from '../dom.js';
import {ago, number} from '../format.js';
import {editor} from './editor.js';

const NEW = `domain: my-domain
rules:
  - id: my-rule
    key: [user]
    limit: {permits: 100, per: 1m}
    enforcement: balanced
`;

/** One rule: what it says, and its file to be changed. */
export function rule({parts, signal, failed, mayChange, again}) {
  const name = parts.join('/');
  const path = parts.map(encodeURIComponent).join('/');
  const body = h('div');
  if (parts.length !== 2) {
    body.append(editor({yaml: NEW, etag: null, versions: '', mayChange, signal}).element);
    return h('section', null, h('h1', null, 'New rule'), body);
  }
  api.read('/rules/' + path).then(({answer, etag}) => {
    if (signal.aborted) return;
    const other = answer.mode === 'enforce' ? 'shadow' : 'enforce';
    const said = h('p', {role: 'alert', class: 'bad'});
    const change = h('button', {
      onclick: async () => {
        change.disabled = true;
        try {
          await api.putMode(path, other, etag);
          say(`${name} is published with the mode ${other}`);
          await published(path, etag);
          again();
        } catch (failure) {
          said.textContent = failure.message;
          change.disabled = false;
        }
      },
    }, other === 'enforce' ? 'Enforce it' : 'Only count (shadow)');
    const file = editor({yaml: answer.yaml, etag, versions: answer.versions, mayChange, signal, published: () => published(path, etag).then(again)});
    const past = h('div');
    history(path, signal, mayChange ? file.write : null).then(
      (shown) => past.replaceChildren(shown),
      (failure) => past.replaceChildren(h('p', {class: 'faint'}, failure.message)));
    body.replaceChildren(
      h('p', null, mark(answer.mode, answer.mode === 'enforce' ? 'good' : 'warn'), ` ${answer.enforcement}, version ${answer.version}: ${answer.summary}`),
      h('div', {class: 'row'}, mayChange ? change : null, link('Its keys', 'keys', name + '/')), said,
      h('h2', null, 'What it means'),
      h('dl', {class: 'says'}, answer.says.flatMap((line) => [h('dt', null, line.of), h('dd', null, line.text)])),
      h('p', null, `Over the limit with ${number(answer.maxInstances)} instances: ${number(answer.bound)} at most, ${number(answer.expectedOver)} to be expected; while no enforcer answers `
        + (answer.boundAway === undefined ? 'without bound.' : `${number(answer.boundAway)} at most.`)),
      ...answer.warnings.map((warning) => h('p', {class: 'warn'}, warning)),
      h('h2', null, 'Rule file'),
      file.element,
      h('h2', null, 'History'), past);
  }, (failure) => { if (!signal.aborted) failed(failure); });
  return h('section', null, h('h1', null, name), body);
}

/**
 * Who changed the rule when.
 *
 * @param write takes the file of an older version, to be published anew; null for who may not
 */
async function history(path, signal, write) {
  const answer = await api.get(`/rules/${path}/history`, {limit: 50}, signal);
  return table('Versions, the newest first', [
    {title: 'Version', number: true, of: (row) => row.version},
    {title: 'Published', of: (row) => h('time', {datetime: row.at, title: row.at}, ago(row.at))},
    {title: 'By', of: (row) => row.author ?? '–'},
    {title: 'Message', of: (row) => (row.deleted ? 'deleted' : row.message ?? ''), key: true},
    ...(write ? [{title: '', of: (row) => (row.yaml
      ? h('button', {onclick: () => write(row.yaml), 'aria-label': `Version ${row.version} into the editor`}, 'Into the editor') : '')}] : []),
  ], answer.versions, 'No version is known.');
}

/** Waits, for some seconds, until the enforcer that was asked has the newer version in force. */
async function published(path, before) {
  for (let i = 0; i < 20; i++) {
    const {etag} = await api.read('/rules/' + path);
    if (etag !== before) return;
    await new Promise((done) => setTimeout(done, 250));
  }
}
