import {api} from '../api.js';
import {h, mark, svg, table} from '../dom.js';
import {millis, number} from '../format.js';
import {every} from '../live.js';

const CELL = 30;
const LABEL = 320;
const LINE = 36;

/** The parts of the topology, and who has which of their tasks. */
export function topology({signal, failed}) {
  const shown = h('div');
  every(3000, signal, async () => {
    const answer = await api.get('/topology', {}, signal);
    shown.replaceChildren(
      ...answer.missing.map((one) => h('p', {class: 'warn'}, `${one.enforcer} does not say what it has: ${one.why}`)),
      ...answer.subTopologies.flatMap((part) => shownPart(part, answer.tasks.filter((task) => task.subTopology === part.number))));
  }, failed);
  return h('section', null, h('h1', null, 'Topology'),
    h('p', {class: 'faint'}, 'A task works on one partition at one enforcer, and is copied by others. Filled: active; dashed: standby.'),
    shown);
}

function shownPart(part, tasks) {
  const rows = Array.from({length: part.partitions}, (_, partition) => {
    const of = tasks.filter((task) => task.partition === partition);
    return {
      partition,
      active: of.find((task) => task.role === 'active'),
      standby: of.filter((task) => task.role === 'standby'),
    };
  });
  const isLedger = rows.some((row) => row.active?.reportsPerSecond !== undefined);
  return [
    h('h2', null, `${part.number}: ${part.name}`),
    h('p', {class: 'faint'}, 'Reads ' + part.reads.join(', ')),
    picture(part, rows, tasks),
    table(`Tasks of ${part.name}`, [
      {title: 'Partition', number: true, of: (row) => row.partition},
      {title: 'Active at', of: (row) => row.active?.enforcer ?? mark('nobody', 'bad'), key: true},
      {title: 'To read', number: true, of: (row) => number(row.active?.lag)},
      {title: 'Standby at', of: (row) => row.standby.map((task) => `${task.enforcer} (${task.lag === undefined ? 'lag not known' : number(task.lag) + ' behind'})`).join(', ') || '–', key: true},
      ...(isLedger ? [
        {title: 'Admitted/s', number: true, of: (row) => number(row.active?.admittedPerSecond)},
        {title: 'Throttled/s', number: true, of: (row) => number(row.active?.throttledPerSecond)},
        {title: 'Reports/s', number: true, of: (row) => number(row.active?.reportsPerSecond)},
        {title: 'Loop', number: true, of: (row) => millis(row.active?.loopMillis)},
      ] : []),
    ], rows, 'It has no partitions.'),
  ];
}

/** A line for each enforcer, a cell for each partition. The table says the same. */
function picture(part, rows, tasks) {
  const enforcers = [...new Set(tasks.map((task) => task.enforcer))].sort();
  const lines = [...enforcers, ...(rows.some((row) => !row.active) ? [null] : [])];
  const cell = (partition, line, looks) => {
    const x = LABEL + partition * CELL;
    const y = line * LINE + 4;
    return [
      svg('rect', {class: looks, x, y, width: CELL - 4, height: LINE - 8, rx: 4}),
      svg('text', {x: x + (CELL - 4) / 2, y: y + 18, 'text-anchor': 'middle'}, String(partition)),
    ];
  };
  const width = LABEL + part.partitions * CELL;
  const height = Math.max(1, lines.length) * LINE;
  return svg('svg', {class: 'tasks', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': `Who has which partitions of ${part.name}; the table below says the same`},
    lines.flatMap((enforcer, line) => [
      svg('text', {x: 0, y: line * LINE + 22}, enforcer ?? 'nobody'),
      ...(enforcer === null
        ? rows.filter((row) => !row.active).flatMap((row) => cell(row.partition, line, 'nobody'))
        : tasks.filter((task) => task.enforcer === enforcer).flatMap((task) => cell(task.partition, line, task.role))),
    ]));
}
