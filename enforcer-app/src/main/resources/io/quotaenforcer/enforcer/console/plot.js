import uPlot from './uplot.js';

const colours = ['#2a78c2', '#d1580b', '#7a5cc0', '#23743a'];

function axis() {
  const style = getComputedStyle(document.documentElement);
  const stroke = style.getPropertyValue('--faint').trim();
  const line = {stroke: style.getPropertyValue('--line').trim(), width: 1};
  return {stroke, grid: line, ticks: line};
}

const LEAST_SECONDS = 60;

/** Lines begin a minute ago at the latest; the first and the last bar are shown whole. */
function shownTimes(first, last, bars) {
  if (first === null) return [Date.now() / 1000 - LEAST_SECONDS, Date.now() / 1000];
  const margin = (last - first) / 18;
  return bars ? [first - margin, last + margin] : [Math.min(first, last - LEAST_SECONDS), last];
}

/**
 * A plot over time in an element.
 *
 * @param names of the series
 * @param bars whether each value is a bar rather than a point of a line
 * @returns a function that shows other data: times in seconds, and the values of each series
 */
export function plot(element, names, {bars = false} = {}) {
  const width = () => Math.max(240, element.clientWidth);
  const series = names.map((label, i) => ({
    label,
    stroke: colours[i % colours.length],
    width: 2,
    points: {show: false},
    fill: bars ? colours[i % colours.length] + '55' : undefined,
    paths: bars ? uPlot.paths.bars({size: [0.8, 60]}) : undefined,
    value: (self, value) => (value === null || value === undefined ? '–' : String(Math.round(value * 10) / 10)),
  }));
  const chart = new uPlot({
    width: width(),
    height: 220,
    cursor: {y: false},
    scales: {
      x: {range: (self, first, last) => shownTimes(first, last, bars)},
      y: {range: (self, least, most) => [0, Math.max(1, most * 1.1)]},
    },
    series: [{label: 'time'}, ...series],
    axes: [axis(), axis()],
  }, [[], ...names.map(() => [])], element);
  new ResizeObserver(() => chart.setSize({width: width(), height: 220})).observe(element);
  return (data) => chart.setData(data);
}
