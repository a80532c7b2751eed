/**
 * Calls `step` now and every `millis` while the page is shown, one call at a time; stops when the
 * signal is aborted. A tab in the background asks nothing.
 */
export function every(millis, signal, step, failed) {
  let timer;
  async function run() {
    if (signal.aborted) return;
    if (!document.hidden) {
      try {
        await step(signal);
        failed(null);
      } catch (failure) {
        if (!signal.aborted) failed(failure);
      }
    }
    if (!signal.aborted) timer = setTimeout(run, millis);
  }
  signal.addEventListener('abort', () => clearTimeout(timer));
  return run();
}
