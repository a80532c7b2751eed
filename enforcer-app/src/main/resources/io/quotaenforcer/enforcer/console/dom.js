/** An element; text is always text, never markup. */
export function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'value') element.value = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** An element of a picture. */
export function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes ?? {})) element.setAttribute(key, value);
  element.append(...children.flat());
  return element;
}

/**
 * A table.
 *
 * @param columns each with `title`, `of` (what a row shows), and `number` or `key` for its looks
 */
export function table(caption, columns, rows, none) {
  const looks = (column) => ({class: column.number ? 'number' : column.key ? 'key' : null});
  if (rows.length === 0) return h('p', {class: 'faint'}, none);
  return h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption},
    h('table', null,
      h('caption', null, caption),
      h('thead', null, h('tr', null,
        columns.map((column) => h('th', {scope: 'col', ...looks(column)}, column.title)))),
      h('tbody', null, rows.map((row) => h('tr', null,
        columns.map((column) => h('td', looks(column), column.of(row) ?? '')))))));
}

export function tiles(pairs) {
  return h('dl', {class: 'tiles'},
    pairs.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, value))));
}

export function mark(text, looks) {
  return h('span', {class: 'mark ' + looks}, text);
}

export function link(text, ...path) {
  return h('a', {href: '#/' + path.map(encodeURIComponent).join('/')}, text);
}

/** Says something to those who listen to the page. */
export function say(text) {
  document.getElementById('said').textContent = text;
}
