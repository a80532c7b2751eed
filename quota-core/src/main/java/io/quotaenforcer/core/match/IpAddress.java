package io.quotaenforcer.core.match;

import org.jspecify.annotations.Nullable;

/**
 * An IP address, read from its text form (RFC 4291, section 2.2) without consulting a name server.
 * An IPv4-mapped IPv6 address is the IPv4 address.
 *
 * @param high the first 64 bits; an IPv4 address is in the upper half
 * @param low the other 64 bits; 0 for IPv4
 * @param bits 32 or 128
 */
record IpAddress(long high, long low, int bits) {
  static final int IPV4_BITS = 32;
  static final int IPV6_BITS = 128;

  private static final int MAX_CHARS = 45;
  private static final int GROUPS = 8;
  private static final long MAPPED = 0xffffL;

  /** Null when the part of the text from {@code from} to {@code to} is no address. */
  static @Nullable IpAddress parse(String text, int from, int to) {
    if (to - from > MAX_CHARS) {
      return null;
    }
    int colon = text.indexOf(':', from);
    if (colon >= 0 && colon < to) {
      return ipv6(text, from, to);
    }
    long address = ipv4(text, from, to);
    return address < 0 ? null : ofIpv4(address);
  }

  static @Nullable IpAddress parse(String text) {
    return parse(text, 0, text.length());
  }

  boolean isIpv4() {
    return bits == IPV4_BITS;
  }

  /** The address with all but its first bits 0. */
  IpAddress first(int length) {
    long mask = length == 0 ? 0 : length >= 64 ? -1L : -1L << (64 - length);
    long lowMask = length <= 64 ? 0 : length >= 128 ? -1L : -1L << (128 - length);
    return new IpAddress(high & mask, low & lowMask, bits);
  }

  private static IpAddress ofIpv4(long address) {
    return new IpAddress(address << 32, 0, IPV4_BITS);
  }

  /** The 32 bits of dotted decimals; -1 when they are anything else. */
  private static long ipv4(String text, int from, int to) {
    long address = 0;
    int at = from;
    for (int part = 0; part < 4; part++) {
      if (part > 0 && (at >= to || text.charAt(at++) != '.')) {
        return -1;
      }
      int start = at;
      while (at < to && text.charAt(at) != '.') {
        at++;
      }
      int value = number(text, start, at, 10, 3);
      // A leading zero is octal to some readers and decimal to others (RFC 6943, section 3.1.1).
      if (value < 0 || value > 255 || (at - start > 1 && text.charAt(start) == '0')) {
        return -1;
      }
      address = address << 8 | value;
    }
    return at == to ? address : -1;
  }

  /** Reads groups from left to right; those before a gap move to the left at the end. */
  private static @Nullable IpAddress ipv6(String text, int from, int to) {
    long high = 0;
    long low = 0;
    long highBeforeGap = 0;
    long lowBeforeGap = 0;
    int groups = 0;
    int gap = -1;
    int at = from;
    if (text.startsWith("::", from)) {
      gap = 0;
      at += 2;
    }
    while (at < to) {
      int start = at;
      int dot = -1;
      while (at < to && text.charAt(at) != ':') {
        dot = text.charAt(at) == '.' ? at : dot;
        at++;
      }
      boolean embedded = dot >= 0;
      long value = embedded && at == to ? ipv4(text, start, at) : number(text, start, at, 16, 4);
      groups += embedded ? 2 : 1;
      if (value < 0 || groups > GROUPS) {
        return null;
      }
      int shift = embedded ? 32 : 16;
      high = high << shift | low >>> (64 - shift);
      low = low << shift | value;
      if (at == to) {
        break;
      }
      at++;
      if (at == to) {
        return null;
      }
      if (text.charAt(at) == ':') {
        if (gap >= 0) {
          return null;
        }
        gap = groups;
        highBeforeGap = high;
        lowBeforeGap = low;
        high = 0;
        low = 0;
        at++;
      }
    }
    if (gap < 0 ? groups != GROUPS : groups >= GROUPS) {
      return null;
    }
    int shift = gap < 0 ? 0 : 16 * (GROUPS - gap);
    return unmapped(
        high | shiftedHigh(highBeforeGap, lowBeforeGap, shift),
        low | (shift >= 64 ? 0 : lowBeforeGap << shift));
  }

  /** The first 64 bits of 128 that are moved to the left. */
  private static long shiftedHigh(long high, long low, int shift) {
    if (shift >= 128) {
      return 0;
    }
    if (shift >= 64) {
      return low << (shift - 64);
    }
    return shift == 0 ? high : high << shift | low >>> (64 - shift);
  }

  private static IpAddress unmapped(long high, long low) {
    return high == 0 && low >>> 32 == MAPPED
        ? ofIpv4(low & 0xffff_ffffL)
        : new IpAddress(high, low, IPV6_BITS);
  }

  /** The value of 1 to {@code maxDigits} ASCII digits; -1 when they are anything else. */
  static int number(String text, int from, int to, int radix, int maxDigits) {
    if (from >= to || to - from > maxDigits) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) < 128 ? Character.digit(text.charAt(i), radix) : -1;
      if (digit < 0) {
        return -1;
      }
      value = value * radix + digit;
    }
    return value;
  }

  /** Dotted decimals, or the text of RFC 5952: lower case, the longest run of zeros as a gap. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(MAX_CHARS);
    if (isIpv4()) {
      for (int shift = 56; shift >= 32; shift -= 8) {
        text.append(shift == 56 ? "" : ".").append(high >>> shift & 0xff);
      }
      return text.toString();
    }
    int gapStart = -1;
    int gapLength = 1;
    for (int i = 0; i < GROUPS; i++) {
      int end = i;
      while (end < GROUPS && group(end) == 0) {
        end++;
      }
      if (end - i > gapLength) {
        gapStart = i;
        gapLength = end - i;
      }
    }
    for (int i = 0; i < GROUPS; i++) {
      if (i == gapStart) {
        text.append("::");
        i += gapLength - 1;
        continue;
      }
      boolean afterColon = text.length() == 0 || text.charAt(text.length() - 1) == ':';
      text.append(afterColon ? "" : ":").append(Long.toHexString(group(i)));
    }
    return text.toString();
  }

  private long group(int index) {
    return (index < 4 ? high >>> (48 - 16 * index) : low >>> (112 - 16 * index)) & 0xffff;
  }
}
