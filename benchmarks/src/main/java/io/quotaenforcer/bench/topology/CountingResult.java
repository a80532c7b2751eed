package io.quotaenforcer.bench.topology;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * One counter under one load.
 *
 * @param countedPermits that the enforcer says it counted; 0 of a plain count, which does not say
 * @param answersLost snapshots that could not be sent
 * @param grantingAnswers share of the newest answers to an instance that grant it something; 1
 *     where no instance reports
 * @param measured what it did once it was warm
 */
record CountingResult(
    Counter counter,
    Load load,
    @JsonUnwrapped CountedInput input,
    DrainResult measured,
    long countedPermits,
    long answersLost,
    double grantingAnswers) {

  /** A plain count, of which nothing else is known. */
  static CountingResult plain(Load load, CountedInput input, DrainResult measured) {
    return new CountingResult(Counter.PLAIN, load, input, measured, 0, 0, 1);
  }

  /** Both runs of a plain count as one that took as long. */
  CountingResult withRun(CountingResult other) {
    if (counter != Counter.PLAIN || other.counter != counter || other.load != load) {
      throw new IllegalArgumentException(
          "must be two of a plain count: %s, %s".formatted(this, other));
    }
    return plain(load, input, measured.plus(other.measured));
  }

  @JsonProperty
  String unit() {
    return counter.unit();
  }

  /** Events, or cell updates, in a second. */
  @JsonProperty
  double unitsPerSecond() {
    return measured.perSecond() * input.inputUnits() / input.inputRecords();
  }

  /** Requests accounted for in a second. */
  @JsonProperty
  double requestsPerSecond() {
    return measured.perSecond() * input.inputPermits() / input.inputRecords();
  }

  @JsonProperty
  double applicationMicrosPerUnit() {
    return measured.applicationMicrosPerRecord() * input.inputRecords() / input.inputUnits();
  }

  @JsonProperty
  double brokerMicrosPerUnit() {
    return measured.brokerMicrosPerRecord() * input.inputRecords() / input.inputUnits();
  }
}
