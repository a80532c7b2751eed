package io.quotaenforcer.core.match;

/**
 * Groups addresses by network, so that a client with many addresses in one network is counted once.
 *
 * @param ipv4Prefix length of the networks of IPv4 addresses; 32 keeps the whole address
 * @param ipv6Prefix length of the networks of IPv6 addresses; 128 keeps the whole address
 */
public record AddressCut(int ipv4Prefix, int ipv6Prefix) {
  /** Whole addresses, each in one and the same spelling. */
  public static final AddressCut WHOLE = new AddressCut(IpAddress.IPV4_BITS, IpAddress.IPV6_BITS);

  public AddressCut {
    check("ipv4Prefix", ipv4Prefix, IpAddress.IPV4_BITS);
    check("ipv6Prefix", ipv6Prefix, IpAddress.IPV6_BITS);
  }

  /**
   * The network of an address: {@code 203.0.113.0/24}, {@code 2001:db8::/64}; the address itself
   * where its whole length is kept. An IPv4-mapped IPv6 address counts as IPv4. Any other value is
   * left as it is, networks that this gave among them.
   */
  public String of(String value) {
    IpAddress address = IpAddress.parse(value);
    if (address == null) {
      return value;
    }
    int length = address.isIpv4() ? ipv4Prefix : ipv6Prefix;
    return new IpNetwork(address.first(length), length).toString();
  }

  private static void check(String what, int length, int longest) {
    if (length < 1 || length > longest) {
      throw new IllegalArgumentException(
          "must be between 1 and " + longest + ": " + what + "=" + length);
    }
  }
}
