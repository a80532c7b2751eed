import {api, PATIENCE_MILLIS, unreachable} from './api.js';

const POLLS = 5;
const POLL_MILLIS = 2000;

/**
 * Tells the overview about once a second while the page is shown: pushed by the enforcer, and asked
 * for while there is no stream, which is tried again after some time.
 *
 * @param heard is told the overview, and whether it was pushed
 * @param news is told of an enforcer whose health changed
 * @param failed is told why it failed and when an overview came last; null when one comes
 */
export async function overviews(signal, heard, news, failed) {
  let polls = 0;
  let last = null;
  const came = (overview, isPushed) => {
    last = new Date();
    heard(overview, isPushed);
    failed(null);
  };
  while (!signal.aborted) {
    if (document.hidden) {
      await pause(POLL_MILLIS, signal);
    } else if (polls > 0) {
      polls--;
      try {
        came(await api.get('/overview', {}, signal), false);
      } catch (failure) {
        if (!signal.aborted) failed(failure, last);
      }
      await pause(POLL_MILLIS, signal);
    } else {
      await pushed(signal, (overview) => came(overview, true), news, (failure) => failed(failure, last));
      polls = POLLS;
    }
  }
}

/** Returns when the stream ends or falls silent, or the page is not shown any more. */
async function pushed(signal, heard, news, failed) {
  const mine = new AbortController();
  const leave = () => { if (signal.aborted || document.hidden) mine.abort(); };
  signal.addEventListener('abort', leave);
  document.addEventListener('visibilitychange', leave);
  let silent;
  const listens = () => {
    clearTimeout(silent);
    silent = setTimeout(() => {
      failed(unreachable('stands still'));
      mine.abort();
    }, PATIENCE_MILLIS);
  };
  listens();
  try {
    await api.events(mine.signal, (event, data) => {
      listens();
      if (event === 'overview') heard(data);
      else if (event === 'health') news(data);
    });
  } catch (failure) {
    if (!signal.aborted && failure.status === 401) failed(failure);
  }
  clearTimeout(silent);
  document.removeEventListener('visibilitychange', leave);
}

function pause(millis, signal) {
  return new Promise((done) => {
    const timer = setTimeout(done, millis);
    signal.addEventListener('abort', () => { clearTimeout(timer); done(); }, {once: true});
  });
}

/**
 * Calls `step` now and every `millis` while the page is shown, one call at a time; stops when the
 * signal is aborted. A tab in the background asks nothing. `failed` is told why a step failed, and
 * when the last one was done; null when one is.
 */
export function every(millis, signal, step, failed) {
  let timer;
  let done = null;
  async function run() {
    if (signal.aborted) return;
    if (!document.hidden) {
      try {
        await step(signal);
        done = new Date();
        failed(null);
      } catch (failure) {
        if (!signal.aborted) failed(failure, done);
      }
    }
    if (!signal.aborted) timer = setTimeout(run, millis);
  }
  signal.addEventListener('abort', () => clearTimeout(timer));
  return run();
}
