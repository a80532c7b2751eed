package io.quotaenforcer.enforcer.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** The host of {@code http.advertised}, which other enforcers and clients are sent to. */
final class AdvertisedAddress {
  private AdvertisedAddress() {}

  /**
   * The problem with an advertised address. A wildcard address leads clients to their own machine,
   * and so does loopback, unless all of them are on this machine.
   *
   * @param advertised host:port
   * @param listening the host that the server listens on
   */
  static Optional<String> complaint(String advertised, String listening) {
    String host = advertised.substring(0, advertised.lastIndexOf(':'));
    Optional<InetAddress> literal = literal(host);
    if (literal.filter(InetAddress::isAnyLocalAddress).isPresent()) {
      return Optional.of(
          "must be an address that others reach this enforcer at, not one that stands for every"
              + " address of a machine");
    }
    boolean loopback =
        literal.map(InetAddress::isLoopbackAddress).orElse(host.matches("(?i)localhost[.]?"));
    if (loopback && !isLoopback(listening)) {
      return Optional.of(
          "must be an address that others reach this enforcer at, not loopback, where they find"
              + " themselves (http.host=%s is not loopback)".formatted(listening));
    }
    return Optional.empty();
  }

  /** The IP address in a literal; empty for a host name, which is not resolved. */
  private static Optional<InetAddress> literal(String host) {
    return host.matches("[0-9.]+") || host.startsWith("[") ? resolved(host) : Optional.empty();
  }

  private static boolean isLoopback(String listening) {
    return resolved(listening).filter(InetAddress::isLoopbackAddress).isPresent();
  }

  private static Optional<InetAddress> resolved(String host) {
    try {
      return Optional.of(InetAddress.getByName(host));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }
}
