import {api, session} from '../api.js';
import {h} from '../dom.js';

/** Asks for a token of the API. */
export function signIn(done) {
  const input = h('input', {type: 'password', autocomplete: 'off', required: true, name: 'token'});
  const said = h('p', {role: 'alert', class: 'bad'});
  async function submit(event) {
    event.preventDefault();
    session.token = input.value.trim();
    try {
      await api.get('/whoami');
      done();
    } catch (failure) {
      session.token = null;
      said.textContent = failure.message;
      input.select();
    }
  }
  return h('section', null,
    h('h1', null, 'Sign in'),
    h('p', null, 'With a token of the file that ', h('code', null, 'http.api.tokens.file'),
      ' names. It is kept for this tab only.'),
    h('form', {onsubmit: submit}, h('label', null, 'Token', input), h('button', {class: 'main'}, 'Sign in')),
    said);
}
