package io.quotaenforcer.bench.topology;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * What it costs at one size.
 *
 * @param enforcerMicrosPerUpdate processor time of the enforcer for each cell update
 * @param ledgerUpdateMicros50 time that half of the ledger updates take at most, without the commit
 * @param ledgerUpdateMicros99 time that 99 of 100 ledger updates take at most, without the commit
 * @param sent what goes to the enforcer and comes to the first instance
 * @param mebibytesBeyondHeap most memory of the enforcer, less the heap that it was given
 */
record GrowthResult(
    @JsonUnwrapped GrowthPoint point,
    double enforcerMicrosPerUpdate,
    double updatesPerSecond,
    double ledgerUpdateMicros50,
    double ledgerUpdateMicros99,
    @JsonUnwrapped Sent sent,
    long mebibytesBeyondHeap) {

  /**
   * What is sent for each request.
   *
   * @param recordsUpPerRequest of reports
   * @param bytesUpPerRequest of reports
   * @param recordsDownPerRequest what the broker keeps for the first instance, per request of it
   * @param bytesAddressedPerRequest the same in bytes, keys and values
   * @param bytesFetchedPerRequest what that instance reads to get it, by its consumer's own metric
   */
  record Sent(
      double recordsUpPerRequest,
      double bytesUpPerRequest,
      double recordsDownPerRequest,
      double bytesAddressedPerRequest,
      double bytesFetchedPerRequest) {}
}
