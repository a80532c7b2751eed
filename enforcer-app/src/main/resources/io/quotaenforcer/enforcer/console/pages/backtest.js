import {api} from '../api.js';
import {h, link, say, table} from '../dom.js';
import {number} from '../format.js';

const WHY = {
  events: 'it had read as many events as it may',
  time: 'it had taken as long as it may',
};

/**
 * Runs a rule file on the requests of the last hour, before it is published.
 *
 * @param file returns the file
 * @returns its `button`, the `element` with progress and result, and `allow`, whether it may be run
 */
export function backtest({file, signal}) {
  let running = null;
  let allowed = false;
  const button = h('button', {disabled: true, onclick: () => (running ? running.abort() : run())}, 'Back-test on the last hour');
  const element = h('div', {'aria-live': 'polite'});
  signal.addEventListener('abort', () => running?.abort());

  function renamed() {
    button.textContent = running ? 'Stop the back-test' : 'Back-test on the last hour';
    button.disabled = !allowed && !running;
  }

  async function run() {
    const mine = new AbortController();
    running = mine;
    renamed();
    const bar = h('progress', {max: '1', value: '0', 'aria-label': 'How much of the last hour was run'});
    const events = h('span', {class: 'faint', 'aria-live': 'off'}, 'Begins …');
    element.replaceChildren(bar, events);
    element.scrollIntoView({block: 'nearest'});
    try {
      await api.backtest(file(), mine.signal, (event, data) => {
        if (event === 'result') {
          element.replaceChildren(...result(data));
          say(`The back-test is done: ${number(data.throttled)} of ${number(data.requests)} requests would be throttled`);
        } else {
          bar.value = data.share;
          events.textContent = `${number(data.events)} events, ${Math.round(data.share * 100)} % of the hour`;
        }
      });
    } catch (failure) {
      element.replaceChildren(mine.signal.aborted ? ''
        : h('p', {class: 'bad'}, 'No back-test: ' + failure.message));
    }
    running = null;
    renamed();
  }

  return {
    button,
    element,
    /** A result of another text is taken away. */
    allow(may) {
      allowed = may;
      if (!may) {
        running?.abort();
        element.replaceChildren();
      }
      renamed();
    },
  };
}

function result(told) {
  const changes = new Map((told.against?.perRule ?? []).map((one) => [one.rule, one]));
  const compared = changes.size > 0;
  return [
    h('h3', null, 'Back-test on the last hour'),
    h('p', null, told.requests === 0 ? 'No request event is known of that time: services emit them with request.events=all.'
      : `${number(told.requests)} requests: ${number(told.admitted)} would be admitted, ${number(told.throttled)} throttled, ${number(told.unmatched)} match no rule here. `
        + `In fact ${number(told.happened.admitted)} were admitted, ${number(told.happened.throttled)} throttled, ${number(told.happened.deferred)} deferred.`),
    told.stopped ? h('p', {class: 'warn'}, `It has seen ${Math.round(told.share * 100)} % of the hour, from its beginning: ${WHY[told.stopped] ?? told.stopped}.`) : '',
    table('By rule', [
      {title: 'Rule', of: (row) => row.rule, key: true},
      {title: 'Requests', number: true, of: (row) => number(row.requests)},
      {title: 'Admitted', number: true, of: (row) => number(row.admitted)},
      {title: 'Throttled', number: true, of: (row) => number(row.throttled)},
      {title: 'Throttled in fact', number: true, of: (row) => number(row.happened.throttled + row.happened.deferred)},
      ...(compared ? [
        {title: 'Newly throttled', number: true, of: (row) => number(changes.get(row.rule)?.newlyThrottled)},
        {title: 'Newly admitted', number: true, of: (row) => number(changes.get(row.rule)?.newlyAdmitted)},
      ] : []),
    ], told.perRule, 'The file has no rules.'),
    table('Quota keys that would be throttled most', [
      {title: 'Quota key', of: (row) => link(row.quotaKey, 'key', row.quotaKey), key: true},
      {title: 'Requests', number: true, of: (row) => number(row.requests)},
      {title: 'Admitted', number: true, of: (row) => number(row.admitted)},
      {title: 'Throttled', number: true, of: (row) => number(row.throttled)},
    ], told.topKeys.filter((row) => row.throttled > 0).slice(0, 10), 'No quota key would be throttled.'),
    ...told.unmatchedRules.map((note) => h('p', {class: 'warn'}, note)),
  ];
}
