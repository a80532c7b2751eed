package io.quotaenforcer.enforcer.api;

import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A token bucket for each caller's address. An IPv6 caller has a whole /64, which is one bucket.
 * The addresses that are remembered are bounded: the one that asked longest ago is forgotten first,
 * and then has a full bucket again.
 */
final class CallerPace {
  static final int MOST_ADDRESSES = 10_000;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final int NETWORK_BYTES = 8;

  private final TokenBucket bucket;
  private final LongSupplier nanos;
  private final Map<String, LimitState> states =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, LimitState> eldest) {
          return size() > MOST_ADDRESSES;
        }
      };

  /**
   * @param nanos a monotonic clock
   */
  CallerPace(int perSecond, LongSupplier nanos) {
    this.bucket = new TokenBucket(perSecond, SECOND_NANOS, 2L * perSecond);
    this.nanos = nanos;
  }

  /** Takes a token of an address; false if it has none. */
  synchronized boolean admits(InetAddress address) {
    long now = nanos.getAsLong();
    String name = network(address);
    LimitState known = states.get(name);
    LimitState state = bucket.advance(known == null ? bucket.initial(now) : known, now);
    boolean admitted = bucket.available(state, now) > 0;
    states.put(name, admitted ? bucket.book(state, 1, now) : state);
    return admitted;
  }

  synchronized int addresses() {
    return states.size();
  }

  private static String network(InetAddress address) {
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }
}
