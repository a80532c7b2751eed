package io.quotaenforcer.bench.entitlements;

/**
 * One start of an enforcer.
 *
 * @param start what it had
 * @param readySeconds until it answers with the limits of all keys
 * @param peakMebibytes most memory of its process
 * @param storeMebibytes its stores on disk
 */
record EntitlementsRow(
    String start, double readySeconds, long peakMebibytes, double storeMebibytes) {
  String line() {
    return "%-34s %8.1f s until ready, %5d MiB at most, %6.1f MiB on disk"
        .formatted(start, readySeconds, peakMebibytes, storeMebibytes);
  }
}
