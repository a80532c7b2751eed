package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.core.setting.SettingValues;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Where the HTTP server listens.
 *
 * @param port 0 for a free one
 * @param advertised host:port by which others reach it, when that is another
 */
public record HttpConfig(String host, int port, Optional<String> advertised) {
  static HttpConfig of(SettingValues values) {
    return new HttpConfig(
        values.get(EnforcerSettings.HTTP_HOST),
        values.get(EnforcerSettings.HTTP_PORT),
        values.get(EnforcerSettings.HTTP_ADVERTISED));
  }

  /**
   * Where others reach the server once it listens on {@code boundPort}. One that listens on every
   * address of its machine is reached by the machine's name.
   */
  public String address(int boundPort) {
    String reached = isWildcard() ? nameOfThisMachine() : host;
    String plain = reached.contains(":") ? "[" + reached + "]" : reached;
    return advertised.orElse(plain + ":" + boundPort);
  }

  private boolean isWildcard() {
    InetSocketAddress bound = new InetSocketAddress(host, port);
    return !bound.isUnresolved() && bound.getAddress().isAnyLocalAddress();
  }

  private static String nameOfThisMachine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return InetAddress.getLoopbackAddress().getHostAddress();
    }
  }
}
