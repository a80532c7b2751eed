package io.quotaenforcer.bench.sparse;

/** Records of one topic: how many, how large, and how many quota keys are in them. */
final class Traffic {
  private long records;
  private long bytes;
  private long quotaKeys;

  void add(int size, int quotas) {
    records++;
    bytes += size;
    quotaKeys += quotas;
  }

  void clear() {
    records = 0;
    bytes = 0;
    quotaKeys = 0;
  }

  /** The traffic for each request. */
  record PerRequest(
      double recordsPerRequest,
      double bytesPerRequest,
      double quotaKeysPerRequest,
      double quotaKeysPerRecord) {}

  PerRequest per(long requests) {
    return new PerRequest(
        ratio(records, requests),
        ratio(bytes, requests),
        ratio(quotaKeys, requests),
        ratio(quotaKeys, records));
  }

  private static double ratio(long amount, long of) {
    return of == 0 ? 0 : (double) amount / of;
  }
}
