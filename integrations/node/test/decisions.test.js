import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { DecisionClient } from "../index.js";

const gateway = createServer();
const connections = new Set();
let answer;
let asked;

before(async () => {
  gateway.on("connection", (socket) => connections.add(socket));
  gateway.on("request", async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()));
    asked = { method: request.method, url: request.url, authorization: request.headers.authorization, body };
    answer(response);
  });
  await new Promise((resolve) => gateway.listen(0, "127.0.0.1", resolve));
});

after(() => {
  gateway.closeAllConnections();
  gateway.close();
});

function client(options) {
  return new DecisionClient(`http://127.0.0.1:${gateway.address().port}`, { timeoutMillis: 5_000, ...options });
}

function answers(status, headers, body) {
  answer = (response) => response.writeHead(status, headers).end(JSON.stringify(body));
}

test("admitted, with headers", async () => {
  answers(200, { RateLimit: '"a";r=1;t=2', Other: "x" }, { admitted: true });
  const decision = await client({ token: "secret" }).decide({ user: "42" }, { cost: 2, maxWaitMillis: 20 });

  assert.deepEqual(decision, { admitted: true, status: 200, headers: { ratelimit: '"a";r=1;t=2' } });
  assert.deepEqual(asked, {
    method: "POST",
    url: "/decide",
    authorization: "Bearer secret",
    body: { attributes: { user: "42" }, cost: 2, maxWait: "20ms" },
  });
});

test("attributes are enough", async () => {
  answers(200, {}, { admitted: true });
  await client().decide({ user: "42" });

  assert.equal(asked.authorization, undefined);
  assert.deepEqual(asked.body, { attributes: { user: "42" }, cost: 1, maxWait: "200ms" });
});

for (const status of [429, 403, 503]) {
  test(`refused with ${status}, also if failures admit`, async () => {
    answers(status, { "Content-Type": "application/problem+json", "Retry-After": "3" }, { title: "no" });
    const decision = await client().decide({ user: "42" });

    assert.deepEqual(decision, { admitted: false, status, headers: { "retry-after": "3" }, problem: { title: "no" } });
  });
}

for (const status of [401, 500]) {
  test(`${status} is a failure: decided by onFailure`, async () => {
    answers(status, { "Content-Type": "application/json" }, { error: "why" });
    const admitted = await client().decide({ user: "42" });
    const refused = await client({ onFailure: "refuse" }).decide({ user: "42" });

    assert.equal(admitted.admitted, true);
    assert.match(admitted.failure, new RegExp(`${status}.*why`));
    assert.deepEqual([refused.admitted, refused.status], [false, 503]);
  });
}

for (const status of [400, 413, 414, 431]) {
  test(`${status} is refused: what cannot be read is no way around a limit`, async () => {
    answers(status, { "Content-Type": "application/json" }, { error: "why" });
    const decision = await client().decide({ user: "42" });

    assert.deepEqual([decision.admitted, decision.status], [false, status]);
    assert.match(decision.failure, /why/);
  });
}

for (const [maxWaitMillis, sent] of [
  [-5, "0ms"],
  [12.6, "13ms"],
]) {
  test(`a wait of ${maxWaitMillis} is sent as ${sent}`, async () => {
    answers(200, {}, { admitted: true });

    assert.equal((await client().decide({ user: "42" }, { maxWaitMillis })).failure, undefined);
    assert.equal(asked.body.maxWait, sent);
  });
}

test("an address needs a scheme", () => {
  assert.throws(() => new DecisionClient("ftp://localhost:8090"), RangeError);
  assert.throws(() => new DecisionClient("localhost:8090"), TypeError);
});

test("no answer in time, or nobody there, is a failure", async () => {
  answer = () => {};
  assert.match((await client({ timeoutMillis: 50 }).decide({ user: "42" }, { maxWaitMillis: 0 })).failure, /timeout/);
  const nobody = new DecisionClient("http://127.0.0.1:1", { onFailure: "refuse" });
  assert.equal((await nobody.decide({ user: "42" })).admitted, false);
});

test("connections are used again", async () => {
  answers(200, {}, { admitted: true });
  const one = client();
  await one.decide({ user: "42" });
  const used = connections.size;
  for (let i = 0; i < 100; i++) {
    await one.decide({ user: "42" });
  }

  assert.ok(connections.size <= used + 5, `${connections.size - used} more connections`);
});

test("onFailure is admit or refuse", () => {
  assert.throws(() => client({ onFailure: "maybe" }), RangeError);
});
