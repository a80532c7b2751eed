const MOST_CELLS = 4_000_000;

/** Lines of both texts in order, each `same`, `removed` or `added`: the longest common ones stay. */
export function diff(before, after) {
  const a = before.split('\n');
  const b = after.split('\n');
  if (a.length * b.length > MOST_CELLS) {
    return [...a.map((text) => ({text, kind: 'removed'})), ...b.map((text) => ({text, kind: 'added'}))];
  }
  const common = Array.from({length: a.length + 1}, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const lines = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({text: a[i++], kind: 'same'});
      j++;
    } else if (j === b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) {
      lines.push({text: a[i++], kind: 'removed'});
    } else {
      lines.push({text: b[j++], kind: 'added'});
    }
  }
  return lines;
}
