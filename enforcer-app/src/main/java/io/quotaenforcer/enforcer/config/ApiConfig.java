package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.schemas.setting.SettingProblem;
import io.quotaenforcer.schemas.setting.SettingValues;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The API for operators, and TLS of the HTTP server.
 *
 * @param tokens file of who may ask; empty when nobody may
 * @param requestsPerSecond of each address
 * @param certificate PEM; empty for plain HTTP
 * @param key PEM; given with the certificate
 */
public record ApiConfig(
    Optional<Path> tokens, int requestsPerSecond, Optional<Path> certificate, Optional<Path> key) {
  /** Closed, and without TLS. */
  public static final ApiConfig CLOSED =
      new ApiConfig(Optional.empty(), 50, Optional.empty(), Optional.empty());

  static ApiConfig of(SettingValues values) {
    return new ApiConfig(
        values.get(EnforcerSettings.API_TOKENS_FILE),
        values.get(EnforcerSettings.API_REQUESTS_PER_SECOND),
        values.get(EnforcerSettings.TLS_CERTIFICATE_FILE),
        values.get(EnforcerSettings.TLS_KEY_FILE));
  }

  static List<SettingProblem> problems(SettingValues values) {
    boolean hasCertificate = values.get(EnforcerSettings.TLS_CERTIFICATE_FILE).isPresent();
    boolean hasKey = values.get(EnforcerSettings.TLS_KEY_FILE).isPresent();
    if (hasCertificate == hasKey) {
      return List.of();
    }
    String missing =
        (hasCertificate ? EnforcerSettings.TLS_KEY_FILE : EnforcerSettings.TLS_CERTIFICATE_FILE)
            .key();
    return List.of(
        new SettingProblem(
            "",
            missing,
            "must be set too, or neither: tls.certificate.file and tls.key.file belong together"));
  }
}
