const TOKEN = 'quota.token';

/** An answer that is none, with what the enforcer said. */
export class ApiError extends Error {
  constructor(status, category, message) {
    super(message);
    this.status = status;
    this.category = category;
  }
}

/** The token is kept for this tab only, and is sent by nothing but these calls. */
export const session = {
  get token() { return sessionStorage.getItem(TOKEN); },
  set token(value) {
    if (value) sessionStorage.setItem(TOKEN, value);
    else sessionStorage.removeItem(TOKEN);
  },
};

/** Pages that ask again and again are answered within about two seconds, even where other enforcers are silent. */
export const PATIENCE_MILLIS = 5000;

/** What is said where no answer comes. */
export function unreachable(why) {
  return new ApiError(0, 'unreachable',
    `The enforcer that serves this page does not answer: it ${why}, or is cut off. Other enforcers have this console, too.`);
}

/** An answer, of any status. Streams, which name what they accept, may take as long as they like. */
async function send(method, path, {body, type, headers, signal} = {}) {
  try {
    return await fetch('/api/v1' + path, {
      method,
      body,
      signal: signal && method === 'GET' && !headers ? patient(signal) : signal,
      cache: 'no-store',
      credentials: 'omit',
      headers: {
        Authorization: 'Bearer ' + session.token,
        ...(type ? {'Content-Type': type} : {}),
        ...headers,
      },
    });
  } catch (failure) {
    if (failure.name === 'AbortError') throw failure;
    throw unreachable(failure.name === 'TimeoutError' ? 'stands still' : 'has ended');
  }
}

async function read(response) {
  const text = await response.text();
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = {};
  }
  if (!response.ok) {
    throw new ApiError(response.status, answer.category,
      answer.error ?? `The enforcer answered ${response.status}.`);
  }
  return {answer, etag: response.headers.get('ETag')};
}

function patient(signal) {
  return AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MILLIS)]);
}

async function call(method, path, given) {
  return read(await send(method, path, given));
}

/** Calls `heard(event, data)` for each server-sent event of an answer; returns when it ends. */
async function listen(method, path, given, heard) {
  const response = await send(method, path, {...given, headers: {Accept: 'text/event-stream'}});
  if (!response.ok || !response.headers.get('Content-Type').startsWith('text/event-stream')) {
    heard('result', (await read(response)).answer);
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let {done, value} = await reader.read(); !done; {done, value} = await reader.read()) {
    const pieces = (rest + value).split('\n\n');
    rest = pieces.pop();
    for (const piece of pieces) {
      const data = /^data: (.*)$/m.exec(piece);
      if (data) heard(/^event: (.*)$/m.exec(piece)?.[1], JSON.parse(data[1]));
    }
  }
}

/** Query parameters with a value, as they follow a path. */
function query(parameters) {
  const given = Object.entries(parameters ?? {}).filter(([, value]) => value !== '' && value !== undefined);
  return given.length ? '?' + new URLSearchParams(given) : '';
}

export const api = {
  get: async (path, parameters, signal) => (await call('GET', path + query(parameters), {signal})).answer,
  events: (signal, heard) => listen('GET', '/events', {signal}, heard),
  read: (path) => call('GET', path),
  validate: async (yaml, signal) =>
    (await call('POST', '/rules:validate', {body: yaml, type: 'application/yaml', signal})).answer,
  backtest: (yaml, signal, heard) =>
    listen('POST', '/rules:backtest', {body: yaml, type: 'application/yaml', signal}, (event, data) => {
      if (event === 'problem') throw new ApiError(0, data.category, data.error);
      heard(event, data);
    }),
  putRule: async (rule, yaml, etag) =>
    (await call('PUT', '/rules/' + rule, {
      body: yaml,
      type: 'application/yaml',
      headers: etag ? {'If-Match': etag} : {'If-None-Match': '*'},
    })).answer,
  post: async (path, object) =>
    (await call('POST', path, {body: JSON.stringify(object), type: 'application/json'})).answer,
  putRules: async (domain, yaml, versions) =>
    (await call('PUT', `/rules/${encodeURIComponent(domain)}` + query({versions}), {body: yaml, type: 'application/yaml'})).answer,
  putMode: async (rule, mode, etag) =>
    (await call('PUT', `/rules/${rule}/mode`, {
      body: JSON.stringify({mode}),
      type: 'application/json',
      headers: {'If-Match': etag},
    })).answer,
};
