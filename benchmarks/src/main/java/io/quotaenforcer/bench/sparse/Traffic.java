package io.quotaenforcer.bench.sparse;

import java.util.LinkedHashMap;
import java.util.Map;

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

  double recordsPer(long requests) {
    return per(records, requests);
  }

  double bytesPer(long requests) {
    return per(bytes, requests);
  }

  double quotaKeysPer(long requests) {
    return per(quotaKeys, requests);
  }

  Map<String, Object> toJson(long requests) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("recordsPerRequest", rounded(recordsPer(requests)));
    json.put("bytesPerRequest", rounded(bytesPer(requests)));
    json.put("quotaKeysPerRequest", rounded(quotaKeysPer(requests)));
    json.put("quotaKeysPerRecord", rounded(per(quotaKeys, records)));
    return json;
  }

  static double rounded(double value) {
    return Math.round(value * 1e3) / 1e3;
  }

  private static double per(long amount, long of) {
    return of == 0 ? 0 : (double) amount / of;
  }
}
