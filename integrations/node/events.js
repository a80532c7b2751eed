import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Kafka, Partitioners, logLevel } from "kafkajs";
import { encode, headerFor } from "./encoding.js";

const MAX_COST = 1_000_000_000_000;
const MAX_ID_CHARS = 200;
const OUTCOMES = ["ADMITTED", "THROTTLED", "DEFERRED"];
/** Below the MiB that a broker takes unless it is told otherwise, with key and header. */
const MAX_BYTES = 900_000;
const BATCH = 500;
const RETRY_MILLIS = 1_000;
const TOO_LARGE = ["MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE"];

/** Whether a failure of kafkajs, or what caused it, says that a record or a batch has too many bytes. */
function isTooLarge(failure) {
  return TOO_LARGE.includes(failure?.type) || TOO_LARGE.includes(failure?.cause?.type);
}

/**
 * Emits request events for a service that reports requests after the fact. `emit` never waits; events are sent in the
 * background, and again, with the same id, until Kafka has acknowledged them. The enforcer counts each id once.
 */
export class RequestEventEmitter {
  #options;
  #send;
  #idPrefix = `${randomBytes(8).toString("hex")}-`;
  #sequence = 0;
  #waiting = [];
  #sending = null;
  #deadline = Infinity;
  #failing = false;
  #acknowledged = 0;
  #dropped = 0;

  /**
   * @param {object} options
   * @param {string} options.bootstrapServers as in `127.0.0.1:9092`, several separated by commas
   * @param {string} [options.service] name of the service, for the audit log
   * @param {string} [options.topic]
   * @param {number} [options.capacity] events that may wait; more are dropped, and counted
   * @param {{url: string, autoRegister?: boolean, headers?: Record<string, string>}} [options.registry] schema registry
   * @param {object} [options.kafka] further settings of a kafkajs client, such as `ssl` and `sasl`
   * @param {(message: string) => void} [options.warn] told when sending fails, once until it works again
   */
  constructor(options) {
    this.#options = { service: "", topic: "quota.request-events", capacity: 10_000, warn: console.warn, ...options };
    this.#send = options.send ?? this.#kafkaSender();
  }

  /**
   * Emits a request that nobody has counted.
   *
   * @param {Record<string, string>} attributes what rules match on, such as `{user: "42", api: "POST /posts"}`
   * @param {object} [details]
   * @param {number} [details.cost] permits, 1 unless given
   * @param {"ADMITTED" | "THROTTLED" | "DEFERRED"} [details.outcome] only ADMITTED takes permits
   * @param {string} [details.id] of the event, for a caller that may report it again; must then keep its topic
   * @param {number} [details.timeMillis] when it was decided, as `Date.now()` tells it, which is the default
   * @returns {boolean} false if it was dropped as too many are waiting
   * @throws {TypeError | RangeError} if the enforcer would refuse it
   */
  emit(attributes, { cost = 1, outcome = "ADMITTED", id, timeMillis = Date.now() } = {}) {
    if (!Number.isSafeInteger(cost) || cost < 1 || cost > MAX_COST) {
      throw new RangeError(`must be an integer from 1 to ${MAX_COST}: cost=${cost}`);
    }
    if (!OUTCOMES.includes(outcome)) {
      throw new RangeError(`must be one of ${OUTCOMES}: outcome=${outcome}`);
    }
    if (id !== undefined && (typeof id !== "string" || id.length < 1 || id.length > MAX_ID_CHARS)) {
      throw new RangeError(`must be a text of 1 to ${MAX_ID_CHARS} characters: id=${id}`);
    }
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value !== "string") {
        throw new TypeError(`must be a text: attribute ${name}=${value}`);
      }
    }
    if (this.#deadline !== Infinity || this.#waiting.length >= this.#options.capacity) {
      this.#dropped++;
      return false;
    }
    const event = {
      id: id ?? this.#idPrefix + ++this.#sequence,
      attributes,
      cost,
      timeMicros: Math.round(timeMillis * 1_000),
      outcome,
      countedBy: "ENFORCER",
      service: this.#options.service,
    };
    const body = encode(event);
    if (body.length > MAX_BYTES) {
      throw new RangeError(`must have at most ${MAX_BYTES} bytes: event has ${body.length}`);
    }
    this.#waiting.push({ key: event.id, body });
    this.#sending ??= this.#sendAll();
    return true;
  }

  /** How many events Kafka has acknowledged. */
  get acknowledged() {
    return this.#acknowledged;
  }

  /**
   * How many events were dropped, as too many were waiting, as Kafka refused them for good, or as it was away when the
   * emitter was closed.
   */
  get dropped() {
    return this.#dropped;
  }

  /** Sends what is waiting, for at most so long, and ends. */
  async close(timeoutMillis = 10_000) {
    this.#deadline = Date.now() + timeoutMillis;
    const late = new AbortController();
    await Promise.race([this.#sending, pause(timeoutMillis, null, { signal: late.signal })]);
    late.abort();
    this.#dropped += this.#waiting.length;
    this.#waiting = [];
    await this.#send.close?.();
  }

  /** One at a time, and never in the turn of the event loop that emits. */
  async #sendAll() {
    await pause(0);
    let most = BATCH;
    while (this.#waiting.length > 0 && Date.now() < this.#deadline) {
      const batch = this.#next(most);
      try {
        await this.#send(batch);
        this.#waiting.splice(0, batch.length);
        this.#acknowledged += batch.length;
        this.#failing = false;
        most = Math.min(BATCH, 2 * most);
      } catch (failure) {
        if (!isTooLarge(failure)) {
          this.#warn(failure);
          await pause(Math.min(RETRY_MILLIS, Math.max(0, this.#deadline - Date.now())));
        } else if (batch.length > 1) {
          most = Math.ceil(batch.length / 2);
        } else {
          this.#drop(failure);
        }
      }
    }
    this.#sending = null;
  }

  /** The events that wait longest, at least one: brokers bound what is sent to a partition at once. */
  #next(most) {
    const next = this.#waiting.slice(0, most);
    let bytes = 0;
    const end = next.findIndex(({ body }, i) => (bytes += body.length) > MAX_BYTES && i > 0);
    return end < 0 ? next : next.slice(0, end);
  }

  /** Drops the event that waits longest: Kafka will never take it. */
  #drop(failure) {
    this.#dropped += this.#waiting.splice(0, 1).length;
    this.#options.warn(`dropped a request event that Kafka does not take: ${failure}`);
  }

  #warn(failure) {
    if (!this.#failing) {
      this.#failing = true;
      this.#options.warn(`cannot write request events; they wait, as many as there is room for: ${failure}`);
    }
  }

  #kafkaSender() {
    const { bootstrapServers, topic, registry, kafka } = this.#options;
    const brokers = bootstrapServers.split(",");
    const client = new Kafka({ brokers, logLevel: logLevel.NOTHING, retry: { retries: 1 }, ...kafka });
    // An id that comes again is known in the partition of its key; so does Java's producer place keys.
    const producer = client.producer({ createPartitioner: Partitioners.DefaultPartitioner });
    let header;
    let connected = false;
    const send = async (batch) => {
      header ??= await headerFor(topic, registry);
      if (!connected) {
        await producer.connect();
        connected = true;
      }
      const messages = batch.map(({ key, body }) => ({ key, value: Buffer.concat([header, body]) }));
      await producer.send({ topic, acks: -1, messages });
    };
    send.close = () => producer.disconnect();
    return send;
  }
}
