package io.quotaenforcer.schemas.codec;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the registry is and how to talk to it; the names are Confluent's.
 *
 * @param urls tried in turn
 * @param writesIds whether records are written with ids of the registry, or only read
 * @param autoRegister whether schemas are registered, or only looked up
 * @param client all settings, for the client: credentials, TLS, proxy, timeouts
 */
record RegistrySettings(
    List<String> urls, boolean writesIds, boolean autoRegister, Map<String, Object> client) {
  static final String URL = "schema.registry.url";
  static final String AUTO_REGISTER = "auto.register.schemas";
  private static final String CONNECT_TIMEOUT = "http.connect.timeout.ms";
  private static final String READ_TIMEOUT = "http.read.timeout.ms";

  /** The client's own, a minute each, would hold up whoever waits for the first record. */
  private static final Map<String, Object> DEFAULTS =
      Map.of(CONNECT_TIMEOUT, 2_000, READ_TIMEOUT, 3_000);

  /** Returns null when the settings name no registry. */
  static @Nullable RegistrySettings from(Map<String, ?> settings) {
    Object url = settings.get(URL);
    boolean isSet = url != null && !url.toString().isBlank();
    boolean writesIds = writesIds(settings.get(RecordFormat.KEY), isSet);
    if (url == null || !isSet) {
      return null;
    }
    Stream<String> entries =
        url instanceof List<?> list
            ? list.stream().map(String::valueOf)
            : Arrays.stream(url.toString().split(","));
    List<String> urls = entries.map(String::strip).filter(entry -> !entry.isEmpty()).toList();
    if (urls.isEmpty()) {
      check(url.toString());
    }
    urls.forEach(RegistrySettings::check);
    Map<String, Object> client = new HashMap<>(DEFAULTS);
    settings.forEach(
        (name, value) -> {
          if (value != null) {
            client.put(name, value);
          }
        });
    Object autoRegister = settings.get(AUTO_REGISTER);
    return new RegistrySettings(
        urls, writesIds, autoRegister == null || isTrue(autoRegister), Map.copyOf(client));
  }

  String location() {
    return String.join(",", urls);
  }

  private static boolean writesIds(@Nullable Object written, boolean hasRegistry) {
    Optional<RecordFormat> format = format(written);
    RecordFormat.complaint(format, hasRegistry)
        .ifPresent(
            complaint -> {
              throw new IllegalArgumentException(complaint);
            });
    return format.map(RecordFormat.REGISTRY::equals).orElse(hasRegistry);
  }

  private static Optional<RecordFormat> format(@Nullable Object written) {
    if (written == null || written.toString().isEmpty()) {
      return Optional.empty();
    }
    for (RecordFormat format : RecordFormat.values()) {
      if (format.word().equals(written.toString())) {
        return Optional.of(format);
      }
    }
    throw new IllegalArgumentException(
        "must be registry or single-object: " + RecordFormat.KEY + "=" + written);
  }

  private static boolean isTrue(Object value) {
    return switch (value.toString()) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "must be true or false: " + AUTO_REGISTER + "=" + value);
    };
  }

  private static void check(String url) {
    // The client would write them to its log.
    if (url.contains("@")) {
      throw new IllegalArgumentException(
          "must hold no credentials, set basic.auth.credentials.source=USER_INFO and "
              + "basic.auth.user.info instead: schema.registry.url="
              + url.replaceFirst("//.*@", "//***@"));
    }
    try {
      URI uri = new URI(url);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (isHttp && uri.getHost() != null) {
        return;
      }
    } catch (URISyntaxException e) {
      // It is told below, like all that is no URL.
    }
    throw new IllegalArgumentException(
        "must be http or https URLs, separated by commas: schema.registry.url=" + url);
  }
}
