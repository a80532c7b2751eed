import {api, session} from './api.js';
import {h, say} from './dom.js';
import {overview} from './pages/overview.js';
import {rules} from './pages/rules.js';
import {rule} from './pages/rule.js';
import {keys} from './pages/keys.js';
import {key} from './pages/key.js';
import {instances} from './pages/instances.js';
import {deferred} from './pages/deferred.js';
import {letters} from './pages/letters.js';
import {changes} from './pages/changes.js';
import {topology} from './pages/topology.js';
import {signIn} from './pages/sign-in.js';

/** Pages by the first part of the address behind the #; those with a title are in the menu. */
const pages = {
  overview: {title: 'Overview', show: overview},
  rules: {title: 'Rules', show: rules},
  rule: {menu: 'rules', show: rule},
  keys: {title: 'Keys', show: keys},
  key: {menu: 'keys', show: key},
  instances: {title: 'Instances', show: instances},
  deferred: {title: 'Deferred', show: deferred},
  letters: {title: 'Dead letters', show: letters},
  changes: {title: 'Changes', show: changes},
  topology: {title: 'Topology', show: topology},
};

const main = document.getElementById('main');
const trouble = document.getElementById('trouble');
let left = new AbortController();
let caller = null;

/** Shows why the page is not up to date, and since when; null when it is. */
function failed(failure, done) {
  if (failure?.status === 401) {
    session.token = null;
    caller = null;
    route();
    return;
  }
  trouble.hidden = failure === null;
  const why = failure?.message ?? '';
  trouble.textContent = done
    ? `${why.replace(/\.$/, '')}. What is shown is as of ${done.toLocaleTimeString()}.` : why;
  main.classList.toggle('stale', Boolean(done));
}

function menu(current) {
  document.getElementById('nav').replaceChildren(
    ...Object.entries(pages).filter(([, page]) => page.title).map(([name, page]) =>
      h('a', {href: '#/' + name, 'aria-current': name === current ? 'page' : null}, page.title)));
  document.getElementById('who').replaceChildren(
    `${caller.name}, ${caller.role} `,
    h('button', {onclick: () => { session.token = null; caller = null; route(); }}, 'Sign out'));
}

async function route() {
  left.abort();
  left = new AbortController();
  trouble.hidden = true;
  main.classList.remove('stale');
  if (!session.token) {
    document.getElementById('nav').replaceChildren();
    document.getElementById('who').replaceChildren();
    main.replaceChildren(signIn(route));
    main.querySelector('input').focus();
    return;
  }
  const [name = 'overview', ...parts] = location.hash.replace(/^#\/?/, '').split('/')
    .filter((part) => part !== '').map(decodeURIComponent);
  const page = pages[name] ?? pages.overview;
  const {signal} = left;
  try {
    caller ??= await api.get('/whoami');
    if (signal.aborted) return;
    menu(page.menu ?? (pages[name] ? name : 'overview'));
    const content = page.show({parts, signal, failed, mayChange: caller.role === 'operator', again: route});
    main.replaceChildren(content);
    main.focus({preventScroll: true});
    const title = content.querySelector('h1')?.textContent ?? '';
    document.title = title + ' – Quota enforcer';
    say(title);
  } catch (failure) {
    if (!signal.aborted) failed(failure);
  }
}

addEventListener('hashchange', route);
route();
