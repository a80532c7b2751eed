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
