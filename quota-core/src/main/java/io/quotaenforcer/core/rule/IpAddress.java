package io.quotaenforcer.core.rule;

import java.util.Optional;

/** Reads IP addresses in text form (RFC 4291, section 2.2) without ever asking a name server. */
final class IpAddress {
  private IpAddress() {}

  /** The 4 or 16 bytes of an address; an IPv4-mapped IPv6 address gives 4. */
  static Optional<byte[]> parse(String text) {
    if (text.length() > 45) {
      return Optional.empty();
    }
    return text.indexOf(':') < 0 ? ipv4(text) : ipv6(text).map(IpAddress::unmapped);
  }

  private static Optional<byte[]> ipv4(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 4) {
      return Optional.empty();
    }
    byte[] bytes = new byte[4];
    for (int i = 0; i < 4; i++) {
      int value = number(parts[i], 10, 3, 255);
      // A leading zero is octal to some readers and decimal to others (RFC 6943, section 3.1.1).
      if (value < 0 || (parts[i].length() > 1 && parts[i].charAt(0) == '0')) {
        return Optional.empty();
      }
      bytes[i] = (byte) value;
    }
    return Optional.of(bytes);
  }

  private static Optional<byte[]> ipv6(String text) {
    int gap = text.indexOf("::");
    if (gap != text.lastIndexOf("::")) {
      return Optional.empty();
    }
    byte[] bytes = new byte[16];
    String head = gap < 0 ? text : text.substring(0, gap);
    String tail = gap < 0 ? "" : text.substring(gap + 2);
    if (gap >= 0 && head.indexOf('.') >= 0) {
      return Optional.empty();
    }
    int headBytes = groups(head, bytes, 0);
    if (headBytes < 0 || (gap < 0 && headBytes != 16)) {
      return Optional.empty();
    }
    byte[] end = new byte[16];
    int tailBytes = groups(tail, end, 0);
    if (tailBytes < 0 || (gap >= 0 && headBytes + tailBytes > 14)) {
      return Optional.empty();
    }
    System.arraycopy(end, 0, bytes, 16 - tailBytes, tailBytes);
    return Optional.of(bytes);
  }

  /** Writes colon-separated groups from {@code offset}; the count of bytes, or -1. */
  private static int groups(String text, byte[] target, int offset) {
    if (text.isEmpty()) {
      return 0;
    }
    int at = offset;
    String[] parts = text.split(":", -1);
    for (int i = 0; i < parts.length; i++) {
      boolean embedded = i == parts.length - 1 && parts[i].indexOf('.') >= 0;
      if (at + (embedded ? 4 : 2) > 16) {
        return -1;
      }
      if (embedded) {
        Optional<byte[]> v4 = ipv4(parts[i]);
        if (v4.isEmpty()) {
          return -1;
        }
        System.arraycopy(v4.get(), 0, target, at, 4);
        at += 4;
      } else {
        int value = number(parts[i], 16, 4, 0xffff);
        if (value < 0) {
          return -1;
        }
        target[at++] = (byte) (value >> 8);
        target[at++] = (byte) value;
      }
    }
    return at - offset;
  }

  /** The value of at most {@code maxDigits} ASCII digits; -1 when they are anything else. */
  static int number(String digits, int radix, int maxDigits, int max) {
    if (digits.isEmpty() || digits.length() > maxDigits) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(i) < 128 ? Character.digit(digits.charAt(i), radix) : -1;
      if (digit < 0) {
        return -1;
      }
      value = value * radix + digit;
    }
    return value <= max ? value : -1;
  }

  private static byte[] unmapped(byte[] bytes) {
    for (int i = 0; i < 10; i++) {
      if (bytes[i] != 0) {
        return bytes;
      }
    }
    return bytes[10] == -1 && bytes[11] == -1
        ? new byte[] {bytes[12], bytes[13], bytes[14], bytes[15]}
        : bytes;
  }
}
