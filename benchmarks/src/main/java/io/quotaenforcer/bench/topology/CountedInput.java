package io.quotaenforcer.bench.topology;

/**
 * The input written to be counted.
 *
 * @param inputRecords of Kafka
 * @param inputUnits events, or cell updates
 * @param inputPermits what is to be counted of them, in all
 */
record CountedInput(long inputRecords, long inputUnits, long inputPermits) {

  /** Records of an event each, which counts one permit. */
  static CountedInput ofEvents(long events) {
    return new CountedInput(events, events, events);
  }
}
