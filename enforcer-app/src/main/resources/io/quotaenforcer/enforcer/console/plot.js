import uPlot from './uplot.js';

const colours = ['#2a78c2', '#d1580b', '#7a5cc0', '#23743a'];

function axis() {
  const style = getComputedStyle(document.documentElement);
  const stroke = style.getPropertyValue('--faint').trim();
  const line = {stroke: style.getPropertyValue('--line').trim(), width: 1};
  return {stroke, grid: line, ticks: line};
}

/**
 * A plot over time in an element.
 *
 * @param names of the series
 * @param options `bars`: a bar for each value rather than a line; `dashed`: series that are limits
 * @returns a function that shows other data: times in seconds, and the values of each series
 */
export function plot(element, names, {bars = false, dashed = []} = {}) {
  const width = () => Math.max(240, element.clientWidth);
  const series = names.map((label, i) => ({
    label,
    stroke: colours[i % colours.length],
    width: 2,
    points: {show: false},
    dash: dashed.includes(label) ? [6, 4] : undefined,
    fill: bars && !dashed.includes(label) ? colours[i % colours.length] + '55' : undefined,
    paths: bars && !dashed.includes(label) ? uPlot.paths.bars({size: [0.8, 60]}) : undefined,
    value: (self, value) => (value === null || value === undefined ? '–' : String(Math.round(value * 10) / 10)),
  }));
  const chart = new uPlot({
    width: width(),
    height: 220,
    cursor: {y: false},
    scales: {y: {range: (self, least, most) => [0, Math.max(1, most * 1.1)]}},
    series: [{label: 'time'}, ...series],
    axes: [axis(), axis()],
  }, [[], ...names.map(() => [])], element);
  new ResizeObserver(() => chart.setSize({width: width(), height: 220})).observe(element);
  return (data) => chart.setData(data);
}
