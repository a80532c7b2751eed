package io.quotaenforcer.bench.topology;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One counter under one load.
 *
 * @param counted permits that the enforcer says it counted; 0 of a plain count, which does not say
 * @param answersLost snapshots that could not be sent
 * @param granting share of the newest answers to an instance that grant it something; 1 where no
 *     instance reports
 */
record CountingResult(
    Counter counter,
    Load load,
    CountedInput input,
    DrainResult drain,
    long counted,
    long answersLost,
    double granting) {

  /** Both runs of a plain count as one that took as long. */
  CountingResult withRun(CountingResult other) {
    if (counter != Counter.PLAIN || other.counter != counter || other.load != load) {
      throw new IllegalArgumentException(
          "must be two of a plain count: %s, %s".formatted(this, other));
    }
    return new CountingResult(
        counter, load, input, drain.plus(other.drain), counted, answersLost, granting);
  }

  /** Events, or cell updates, in a second. */
  double unitsPerSecond() {
    return drain.perSecond() * input.units() / input.records();
  }

  /** Requests accounted for in a second. */
  double requestsPerSecond() {
    return drain.perSecond() * input.permits() / input.records();
  }

  double applicationMicrosPerUnit() {
    return DrainResult.micros(drain.application())
        * input.records()
        / input.units()
        / drain.records();
  }

  double brokerMicrosPerUnit() {
    return DrainResult.micros(drain.broker()) * input.records() / input.units() / drain.records();
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("counter", counter.name());
    json.put("load", load.name());
    json.put("inputRecords", input.records());
    json.put("inputUnits", input.units());
    json.put("unit", counter.unit());
    json.put("inputPermits", input.permits());
    json.put("countedPermits", counted);
    json.put("answersLost", answersLost);
    json.put("grantingAnswers", granting);
    json.put("unitsPerSecond", unitsPerSecond());
    json.put("requestsPerSecond", requestsPerSecond());
    json.put("applicationMicrosPerUnit", applicationMicrosPerUnit());
    json.put("brokerMicrosPerUnit", brokerMicrosPerUnit());
    json.put("measured", drain.toJson());
    return json;
  }
}
