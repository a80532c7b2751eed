package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.schemas.setting.SettingProblem;
import io.quotaenforcer.schemas.setting.SettingValues;
import io.quotaenforcer.schemas.setting.SettingsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Addresses of the HTTP server, and access to what it shows.
 *
 * @param port 0 for a free one
 * @param advertised host:port by which others reach it, when that is another
 * @param probePort of the listener for probes and metrics; 0 for a free one
 * @param tokenFile holds what shows headers and payloads; empty when they are shown to nobody
 * @param api for operators, and TLS
 */
public record HttpConfig(
    String host,
    int port,
    Optional<String> advertised,
    int probePort,
    Optional<Path> tokenFile,
    ApiConfig api) {
  private static final int MOST = 65_535;

  public HttpConfig {
    String listening = host;
    advertised.ifPresent(address -> checkAdvertised(address, listening));
  }

  /** With an API that nobody may ask, and without TLS. */
  public HttpConfig(
      String host, int port, Optional<String> advertised, int probePort, Optional<Path> tokenFile) {
    this(host, port, advertised, probePort, tokenFile, ApiConfig.CLOSED);
  }

  /** With probes on the next port, or a free one; headers and payloads are not shown. */
  public HttpConfig(String host, int port, Optional<String> advertised) {
    this(host, port, advertised, nextTo(port), Optional.empty());
  }

  static HttpConfig of(SettingValues values) {
    int port = values.get(EnforcerSettings.HTTP_PORT);
    return new HttpConfig(
        values.get(EnforcerSettings.HTTP_HOST),
        port,
        values.get(EnforcerSettings.HTTP_ADVERTISED),
        values.get(EnforcerSettings.HTTP_PROBE_PORT).orElse(nextTo(port)),
        values.get(EnforcerSettings.HTTP_TOKEN_FILE),
        ApiConfig.of(values));
  }

  static List<SettingProblem> problems(SettingValues values) {
    String listening = values.get(EnforcerSettings.HTTP_HOST);
    return values
        .get(EnforcerSettings.HTTP_ADVERTISED)
        .flatMap(address -> problem(address, listening))
        .map(
            problem ->
                new SettingProblem(
                    values.source(EnforcerSettings.HTTP_ADVERTISED).orElse(""),
                    problem.key(),
                    problem.message()))
        .stream()
        .toList();
  }

  private static void checkAdvertised(String address, String listening) {
    problem(address, listening)
        .ifPresent(
            problem -> {
              throw new SettingsException(List.of(problem));
            });
  }

  private static Optional<SettingProblem> problem(String advertised, String listening) {
    String key = EnforcerSettings.HTTP_ADVERTISED.key();
    return AdvertisedAddress.complaint(advertised, listening)
        .map(complaint -> new SettingProblem("", key, complaint + ": " + key + "=" + advertised));
  }

  private static int nextTo(int port) {
    return port == 0 || port == MOST ? 0 : port + 1;
  }

  /** Of the URLs of all enforcers, which have TLS or have it not together. */
  public String scheme() {
    return api.certificate().isPresent() ? "https" : "http";
  }

  /**
   * Address of the server once it listens on {@code boundPort}. A server that listens on every
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
