import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { decode, encode, headerFor } from "../encoding.js";
import { RequestEventEmitter } from "../index.js";

const TOPIC = "quota.request-events";

/** An emitter whose records go to a list, once `kafka.away` is false. */
function recording(options = {}) {
  const kafka = { away: false, records: [], warnings: [] };
  const send = async (batch) => {
    if (kafka.away) {
      throw new Error("away");
    }
    kafka.records.push(...batch.map(({ key, body }) => ({ key, event: decode(body) })));
  };
  const warn = (message) => kafka.warnings.push(message);
  return { kafka, emitter: new RequestEventEmitter({ service: "web", send, warn, ...options }) };
}

test("header without a registry is that of the published schema", async () => {
  const published = readFileSync(new URL("../../../schemas/published/fingerprints.txt", import.meta.url), "utf8");
  const [, , firstBytes, subject] = published.split("\n").find((line) => line.startsWith("RequestEvent ")).split(" ");

  assert.equal((await headerFor(TOPIC)).toString("hex"), firstBytes);
  assert.equal(subject, `${TOPIC}-io.quotaenforcer.schemas.RequestEvent`);
});

test("header with a registry has the id that it gave", async () => {
  const asked = [];
  const registry = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()));
    asked.push([request.url, JSON.parse(body.schema).name]);
    response.end(JSON.stringify({ id: 258 }));
  });
  await new Promise((resolve) => registry.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${registry.address().port}`;
  try {
    assert.equal((await headerFor(TOPIC, { url })).toString("hex"), "0000000102");
    assert.equal((await headerFor(TOPIC, { url, autoRegister: false })).toString("hex"), "0000000102");
  } finally {
    registry.closeAllConnections();
    registry.close();
  }
  const subject = "/subjects/quota.request-events-io.quotaenforcer.schemas.RequestEvent";
  assert.deepEqual(asked, [
    [`${subject}/versions`, "RequestEvent"],
    [subject, "RequestEvent"],
  ]);
});

test("event has the fields of the schema, in its units", async () => {
  const { kafka, emitter } = recording();
  const before = Date.now() * 1_000;
  emitter.emit({ user: "42" });
  emitter.emit({ user: "ß" }, { cost: 1_000_000_000_000, outcome: "THROTTLED", id: "mine", timeMillis: 1.5 });
  await emitter.close();

  const [first, second] = kafka.records;
  assert.match(first.key, /^[0-9a-f]{16}-1$/);
  assert.equal(first.event.id, first.key);
  assert.ok(first.event.timeMicros >= before && first.event.timeMicros <= Date.now() * 1_000);
  assert.deepEqual({ ...first.event, id: "", timeMicros: 0, attributes: { ...first.event.attributes } }, {
    id: "",
    attributes: { user: "42" },
    cost: 1,
    timeMicros: 0,
    outcome: "ADMITTED",
    countedBy: "ENFORCER",
    service: "web",
  });
  assert.equal(second.key, "mine");
  assert.equal(second.event.cost, 1_000_000_000_000);
  assert.equal(second.event.timeMicros, 1_500);
  assert.equal(second.event.outcome, "THROTTLED");
});

test("bytes are the Avro binary of the fields in their order", () => {
  const event = {
    id: "a-1", attributes: { k: "v" }, cost: 1, timeMicros: 2, outcome: "DEFERRED", countedBy: "ENFORCER", service: "",
  };

  assert.equal(encode(event).toString("hex"), "06612d31" + "02" + "026b" + "0276" + "00" + "02" + "04" + "04" + "02" + "00");
});

test("Kafka away: events wait, with their ids, and are sent once it is back", async () => {
  const { kafka, emitter } = recording();
  kafka.away = true;
  emitter.emit({ user: "1" });
  emitter.emit({ user: "2" });
  while (kafka.warnings.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(emitter.acknowledged, 0);
  kafka.away = false;
  await emitter.close();

  assert.equal(emitter.acknowledged, 2);
  assert.deepEqual(kafka.records.map(({ event }) => event.attributes.user), ["1", "2"]);
  assert.equal(kafka.warnings.length, 1);
});

test("what Kafka never takes is dropped and counted, and the others are sent", async () => {
  const batches = [];
  const sent = [];
  const warnings = [];
  const send = async (batch) => {
    batches.push(batch.length);
    if (batch.some(({ key }) => key.startsWith("large"))) {
      throw Object.assign(new Error("too large"), { type: "MESSAGE_TOO_LARGE" });
    }
    sent.push(...batch.map(({ key }) => key));
  };
  const emitter = new RequestEventEmitter({ send, warn: (message) => warnings.push(message) });
  const ids = ["a", "b", "large-1", "c", "large-2", "d", "e"];
  ids.forEach((id) => emitter.emit({ user: "1" }, { id }));
  await emitter.close();

  assert.deepEqual(sent, ["a", "b", "c", "d", "e"]);
  assert.equal(emitter.acknowledged, 5);
  assert.equal(emitter.dropped, 2);
  assert.equal(batches[0], ids.length);
  assert.deepEqual(warnings, Array(2).fill("dropped a request event that Kafka does not take: Error: too large"));
});

test("events that are large together are sent one after the other", async () => {
  const batches = [];
  const emitter = new RequestEventEmitter({ send: async (batch) => batches.push(batch.length) });
  for (const bytes of [400_000, 400_000, 400_000, 890_000, 10, 10]) {
    emitter.emit({ user: "x".repeat(bytes) });
  }
  await emitter.close();

  assert.deepEqual(batches, [2, 1, 3]);
});

test("no room: an event is dropped and counted", async () => {
  const { kafka, emitter } = recording({ capacity: 1 });
  assert.equal(emitter.emit({ user: "1" }), true);
  assert.equal(emitter.emit({ user: "2" }), false);
  await emitter.close();

  assert.equal(emitter.emit({ user: "3" }), false);
  assert.equal(emitter.dropped, 2);
  assert.equal(kafka.records.length, 1);
});

test("what the enforcer would refuse is refused here", () => {
  const { emitter } = recording();
  for (const details of [{ cost: 0 }, { cost: 1.5 }, { cost: 1e12 + 1 }, { outcome: "no" }, { id: "" }, { id: "x".repeat(201) }]) {
    assert.throws(() => emitter.emit({ user: "1" }, details), RangeError);
  }
  assert.throws(() => emitter.emit({ user: 1 }), TypeError);
  assert.throws(() => emitter.emit({ user: "x".repeat(900_000) }), {
    name: "RangeError",
    message: /^must have at most 900000 bytes: event has 900\d{3}$/,
  });
});
