package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.core.setting.SettingValues;
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

  /** Where others reach the server once it listens on {@code boundPort}. */
  public String address(int boundPort) {
    String plain = host.contains(":") ? "[" + host + "]" : host;
    return advertised.orElse(plain + ":" + boundPort);
  }
}
