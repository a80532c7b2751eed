package io.quotaenforcer.core.rule;

import java.util.Arrays;
import java.util.Optional;

/**
 * A block of IPv4 or IPv6 addresses such as {@code 10.0.0.0/8} or {@code 2001:db8::/32}. Addresses
 * are read as text only: no name is ever looked up.
 */
public final class CidrBlock {
  private final byte[] network;
  private final int prefixLength;
  private final String text;

  private CidrBlock(byte[] network, int prefixLength, String text) {
    this.network = network;
    this.prefixLength = prefixLength;
    this.text = text;
  }

  /** Reads {@code address/length}; throws IllegalArgumentException that says what is wrong. */
  public static CidrBlock parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("must be address/prefix-length: cidr=" + text);
    }
    byte[] address =
        IpAddress.parse(text.substring(0, slash))
            .orElseThrow(
                () -> new IllegalArgumentException("must begin with an IP address: cidr=" + text));
    int length = IpAddress.number(text.substring(slash + 1), 10, 3, 999);
    if (length < 0) {
      throw new IllegalArgumentException("must end with a prefix length: cidr=" + text);
    }
    // An IPv4-mapped address is read as the IPv4 address, without its first 96 bits.
    int dropped = address.length == 4 && text.indexOf(':') >= 0 ? 96 : 0;
    int longest = address.length * 8 + dropped;
    if (length < dropped || length > longest) {
      throw new IllegalArgumentException(
          "must have a prefix length of " + dropped + " to " + longest + ": cidr=" + text);
    }
    return new CidrBlock(address, length - dropped, text);
  }

  public boolean contains(String address) {
    Optional<byte[]> parsed = IpAddress.parse(address);
    if (parsed.isEmpty() || parsed.get().length != network.length) {
      return false;
    }
    byte[] bytes = parsed.get();
    int whole = prefixLength / 8;
    if (!Arrays.equals(bytes, 0, whole, network, 0, whole)) {
      return false;
    }
    int rest = prefixLength % 8;
    return rest == 0 || ((bytes[whole] ^ network[whole]) & 0xff) >> (8 - rest) == 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CidrBlock that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
