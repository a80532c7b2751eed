package io.quotaenforcer.bench.accuracy;

/** Each instance has the same part of the limit. */
final class StaticSplit implements Policy {
  private final LocalLimit[] parts;

  StaticSplit(Fleet fleet) {
    parts = new LocalLimit[fleet.instances()];
    long permits = fleet.limit().permits();
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new LocalLimit(fleet.limit());
      long part = permits / parts.length + (i < permits % parts.length ? 1 : 0);
      parts[i].permits(part, Arrivals.START);
    }
  }

  @Override
  public long decide(int instance, long now) {
    return parts[instance].tryTake(now) ? 0 : NOT_ADMITTED;
  }
}
