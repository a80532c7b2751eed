package io.quotaenforcer.bench.topology;

/**
 * What was written to be counted.
 *
 * @param records of Kafka
 * @param units events, or cell updates
 * @param permits what is to be counted of them, in all
 */
record CountedInput(long records, long units, long permits) {}
