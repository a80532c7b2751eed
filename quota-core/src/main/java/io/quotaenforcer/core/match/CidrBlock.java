package io.quotaenforcer.core.match;

/**
 * A block of IPv4 or IPv6 addresses such as {@code 10.0.0.0/8} or {@code 2001:db8::/32}. Addresses
 * are read as text only: no name is ever looked up.
 */
public final class CidrBlock {
  private final IpNetwork network;
  private final String text;

  private CidrBlock(IpNetwork network, String text) {
    this.network = network;
    this.text = text;
  }

  /** Reads {@code address/length}; throws IllegalArgumentException that says what is wrong. */
  public static CidrBlock parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("must be address/prefix-length: cidr=" + text);
    }
    IpAddress address = IpAddress.parse(text, 0, slash);
    if (address == null) {
      throw new IllegalArgumentException("must begin with an IP address: cidr=" + text);
    }
    int length = IpAddress.number(text, slash + 1, text.length(), 10, 3);
    if (length < 0) {
      throw new IllegalArgumentException("must end with a prefix length: cidr=" + text);
    }
    int dropped = IpNetwork.dropped(address, text);
    int longest = address.bits() + dropped;
    if (length < dropped || length > longest) {
      throw new IllegalArgumentException(
          "must have a prefix length of " + dropped + " to " + longest + ": cidr=" + text);
    }
    int bits = length - dropped;
    return new CidrBlock(new IpNetwork(address.first(bits), bits), text);
  }

  /** Whether a value is an address in the block, or a network all of whose addresses are. */
  public boolean contains(String value) {
    IpNetwork parsed = IpNetwork.ofValue(value);
    return parsed != null && network.contains(parsed);
  }

  /**
   * Length of the common prefix of its addresses, in bits; for an IPv4-mapped block that of the
   * IPv4 block.
   */
  public int length() {
    return network.length();
  }

  IpNetwork network() {
    return network;
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
