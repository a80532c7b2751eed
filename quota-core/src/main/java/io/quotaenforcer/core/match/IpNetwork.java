package io.quotaenforcer.core.match;

import org.jspecify.annotations.Nullable;

/**
 * The addresses that begin with the same bits.
 *
 * @param first the first of them
 * @param length how many bits are the same
 */
record IpNetwork(IpAddress first, int length) {
  private static final int MAPPED_BITS = 96;

  /**
   * Parses a single address, or a network such as {@code 203.0.113.0/24}; null for any other text.
   * Bits beyond the network's length make it invalid.
   */
  static @Nullable IpNetwork ofValue(String value) {
    int slash = value.indexOf('/');
    if (slash < 0) {
      IpAddress address = IpAddress.parse(value);
      return address == null ? null : new IpNetwork(address, address.bits());
    }
    IpAddress address = IpAddress.parse(value, 0, slash);
    int length = IpAddress.number(value, slash + 1, value.length(), 10, 3);
    if (address == null) {
      return null;
    }
    int bits = length - dropped(address, value);
    return bits < 0 || bits > address.bits() || !address.first(bits).equals(address)
        ? null
        : new IpNetwork(address, bits);
  }

  /** Bits of the text's address that are not in {@code address}: the start of a mapped one. */
  static int dropped(IpAddress address, String text) {
    return address.isIpv4() && text.indexOf(':') >= 0 ? MAPPED_BITS : 0;
  }

  boolean contains(IpNetwork other) {
    if (other.first.bits() != first.bits() || other.length < length) {
      return false;
    }
    long high = other.first.high() ^ first.high();
    long low = other.first.low() ^ first.low();
    if (length <= 64) {
      return length == 0 || high >>> (64 - length) == 0;
    }
    return high == 0 && low >>> (128 - length) == 0;
  }

  /** The address if it is one, else {@code address/length}. */
  @Override
  public String toString() {
    return length == first.bits() ? first.toString() : first + "/" + length;
  }
}
