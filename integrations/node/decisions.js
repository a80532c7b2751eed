const PROBLEM = "application/problem+json";

/** What the gateway cannot read is the request's fault: admitted, it would be a way around every limit. */
const UNREADABLE = [400, 413, 414, 431];

/**
 * Asks a gateway of the quota enforcer whether a request may go on. Never throws for what becomes of the gateway: if it
 * does not answer in time, `onFailure` decides; what it cannot read is refused. Connections are kept alive and shared.
 */
export class DecisionClient {
  #url;
  #headers;
  #timeoutMillis;
  #onFailure;

  /**
   * @param {string} gateway its address, as in `http://127.0.0.1:8090`
   * @param {object} [options]
   * @param {string} [options.token] the gateway's token, if it has one
   * @param {number} [options.timeoutMillis] how long an answer may take, beside what the caller waits for permits
   * @param {"admit" | "refuse"} [options.onFailure] what is decided without an answer
   */
  constructor(gateway, { token, timeoutMillis = 250, onFailure = "admit" } = {}) {
    if (onFailure !== "admit" && onFailure !== "refuse") {
      throw new RangeError(`must be admit or refuse: onFailure=${onFailure}`);
    }
    this.#url = new URL("/decide", gateway);
    if (!/^https?:$/.test(this.#url.protocol)) {
      throw new RangeError(`must be an address such as http://127.0.0.1:8090: gateway=${gateway}`);
    }
    this.#headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
    this.#timeoutMillis = timeoutMillis;
    this.#onFailure = onFailure;
  }

  /**
   * @param {Record<string, string>} attributes such as `{user: "42", api: "POST /posts"}`
   * @param {object} [details]
   * @param {number} [details.cost] permits, 1 unless given
   * @param {number} [details.maxWaitMillis] how long to wait for permits that are on their way, 200 unless given; not
   *     longer than the gateway's `max.wait`
   * @returns {Promise<Decision>}
   *
   * @typedef {object} Decision
   * @property {boolean} admitted
   * @property {number} status what to answer with: 200, or the rule's status
   * @property {Record<string, string>} headers for the answer, in lower case: `retry-after`, `ratelimit` and others
   * @property {object} [problem] body of a refusal, as RFC 9457 has it
   * @property {string} [failure] why the gateway did not decide; then `onFailure` did, unless `status` is 400 or more
   */
  async decide(attributes, { cost = 1, maxWaitMillis = 200 } = {}) {
    const waitMillis = Math.max(0, Math.round(maxWaitMillis));
    const body = { attributes, cost, maxWait: `${waitMillis}ms` };
    try {
      const answer = await fetch(this.#url, {
        method: "POST",
        headers: this.#headers,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(this.#timeoutMillis + waitMillis),
      });
      // Read to its end, or its connection cannot be used again.
      const text = await answer.text();
      const { status } = answer;
      if (status === 200) {
        return { admitted: JSON.parse(text).admitted === true, status, headers: headersOf(answer) };
      }
      if (UNREADABLE.includes(status)) {
        return { admitted: false, status, headers: {}, failure: `HTTP ${status} ${text.slice(0, 200)}` };
      }
      const refused = status !== 401 && answer.headers.get("Content-Type")?.startsWith(PROBLEM);
      return refused
        ? { admitted: false, status, headers: headersOf(answer), problem: JSON.parse(text) }
        : this.#failed(`HTTP ${status} ${text.slice(0, 200)}`);
    } catch (failure) {
      return this.#failed(`${failure.cause ?? failure}`);
    }
  }

  #failed(failure) {
    const admitted = this.#onFailure === "admit";
    return { admitted, status: admitted ? 200 : 503, headers: {}, failure };
  }
}

function headersOf(answer) {
  return Object.fromEntries([...answer.headers].filter(([name]) => /^(retry-after|(x-)?ratelimit.*)$/.test(name)));
}
