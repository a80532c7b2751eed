package io.quotaenforcer.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Which address a request counts as sent from. Immutable, for any thread.
 *
 * <p>Anybody can send {@code X-Forwarded-For}. So it counts only if the service says how many
 * proxies of its own stand before it; each appends the address that it saw, so that exactly that
 * many entries, from the right, are true. What stands further to the left is the client's own
 * words, and is not looked at. The service must be reachable through these proxies only.
 */
public sealed interface ClientAddress {

  /** The address of the connection: what a client cannot forge. The default. */
  static ClientAddress ofConnection() {
    return new OfConnection();
  }

  /**
   * The address that the outermost of the trusted proxies saw, by {@code X-Forwarded-For}.
   *
   * @param hops trusted proxies between client and service, at least 1
   * @throws IllegalArgumentException if there are fewer
   */
  static ClientAddress byForwardedFor(int hops) {
    return new Forwarded(hops, "X-Forwarded-For");
  }

  /**
   * The same by {@code Forwarded} (RFC 7239), whose {@code for} counts.
   *
   * @param hops trusted proxies between client and service, at least 1
   * @throws IllegalArgumentException if there are fewer
   */
  static ClientAddress byForwarded(int hops) {
    return new Forwarded(hops, "Forwarded");
  }

  /** The address of a request, without port and brackets, in small letters. */
  String of(HttpSource source);

  /** See {@link #ofConnection}. */
  record OfConnection() implements ClientAddress {
    @Override
    public String of(HttpSource source) {
      return ForwardedList.bare(source.remoteAddress());
    }
  }

  /**
   * See {@link #byForwardedFor} and {@link #byForwarded}.
   *
   * @param header whose entries count
   */
  record Forwarded(int hops, String header) implements ClientAddress {
    public Forwarded {
      if (hops < 1) {
        throw new IllegalArgumentException("must be >= 1: hops=" + hops);
      }
    }

    /**
     * Where an entry names no address ({@code unknown}, a hidden one), that of the proxy which
     * wrote it counts: it is the nearest one that is known.
     */
    @Override
    public String of(HttpSource source) {
      List<String> chain = new ArrayList<>();
      for (String line : source.headers(header)) {
        ForwardedList.entries(line, header.equals("Forwarded")).forEach(chain::add);
      }
      String nearest = ForwardedList.bare(source.remoteAddress());
      for (int hop = 1; hop <= hops && hop <= chain.size(); hop++) {
        String entry = chain.get(chain.size() - hop);
        if (entry.isEmpty()) {
          return nearest;
        }
        nearest = entry;
      }
      return nearest;
    }
  }
}
