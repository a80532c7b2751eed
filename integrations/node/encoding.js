import { readFileSync } from "node:fs";
import avro from "avsc";

const SCHEMA = JSON.parse(readFileSync(new URL("RequestEvent.avsc", import.meta.url), "utf8"));
const TYPE = avro.Type.forSchema(SCHEMA);
const REGISTRY_TIMEOUT_MILLIS = 3_000;

/** What begins a request event in Avro's single-object encoding: C3 01 and the fingerprint of its schema. */
const SINGLE_OBJECT_HEADER = Buffer.from("c30187186ba881b666f0", "hex");

/** The Avro binary of an event, without what names its schema. Throws if a field is of a wrong type. */
export function encode(event) {
  return TYPE.toBuffer(event);
}

/** The record of an Avro binary. */
export function decode(body) {
  return TYPE.fromBuffer(body);
}

/**
 * Asks what is to be written before each event of a topic: five bytes with the schema's id when there is a registry,
 * else the ten of the single-object encoding.
 *
 * @param {string} topic
 * @param {{url: string, autoRegister?: boolean, headers?: Record<string, string>}} [registry] with Confluent's HTTP
 *     API; headers are for credentials
 * @returns {Promise<Buffer>}
 */
export async function headerFor(topic, registry) {
  if (!registry) {
    return SINGLE_OBJECT_HEADER;
  }
  const subject = `${topic}-${SCHEMA.namespace}.${SCHEMA.name}`;
  const path = `/subjects/${encodeURIComponent(subject)}`;
  const answer = await fetch(registry.url + path + (registry.autoRegister === false ? "" : "/versions"), {
    method: "POST",
    headers: { "Content-Type": "application/vnd.schemaregistry.v1+json", ...registry.headers },
    body: JSON.stringify({ schema: JSON.stringify(SCHEMA) }),
    signal: AbortSignal.timeout(REGISTRY_TIMEOUT_MILLIS),
  });
  if (!answer.ok) {
    throw new Error(`schema registry, subject ${subject}: HTTP ${answer.status} ${await answer.text()}`);
  }
  const header = Buffer.alloc(5);
  header.writeInt32BE((await answer.json()).id, 1);
  return header;
}
