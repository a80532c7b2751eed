package io.quotaenforcer.schemas.codec;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Address and settings of the registry; the names are Confluent's.
 *
 * @param urls tried in turn
 * @param writesIds whether records are written with ids of the registry, or only read
 * @param autoRegister whether schemas are registered, or only looked up
 * @param client all settings, for the client: credentials, TLS, proxy, timeouts
 * @param origin where the URLs were named, in words for a message; may be empty
 */
record RegistrySettings(
    List<String> urls,
    boolean writesIds,
    boolean autoRegister,
    Map<String, Object> client,
    String origin) {
  static final String URL = "schema.registry.url";
  static final String AUTO_REGISTER = "auto.register.schemas";
  private static final String CONNECT_TIMEOUT = "http.connect.timeout.ms";
  private static final String READ_TIMEOUT = "http.read.timeout.ms";

  /**
   * Replace the client's own defaults of a minute each, which would block the caller that waits for
   * the first record.
   */
  private static final Map<String, Object> DEFAULTS =
      Map.of(CONNECT_TIMEOUT, 2_000, READ_TIMEOUT, 3_000);

  /** All problems of settings. */
  static List<String> complaints(Map<String, ?> settings) {
    List<String> complaints = new ArrayList<>();
    Object url = settings.get(URL);
    note(complaints, () -> writesIds(settings.get(RecordFormat.KEY), isSet(url)));
    if (url != null && isSet(url)) {
      List<String> urls = urls(url);
      (urls.isEmpty() ? List.of(url.toString()) : urls)
          .forEach(each -> note(complaints, () -> check(each, url.toString().contains("@"))));
      note(complaints, () -> autoRegister(settings));
    }
    return complaints;
  }

  private static void note(List<String> complaints, Runnable check) {
    try {
      check.run();
    } catch (IllegalArgumentException e) {
      complaints.add(String.valueOf(e.getMessage()));
    }
  }

  /** Returns null when the settings name no registry. */
  static @Nullable RegistrySettings from(Map<String, ?> settings) {
    return from(settings, "");
  }

  static @Nullable RegistrySettings from(Map<String, ?> settings, String origin) {
    List<String> complaints = complaints(settings);
    if (!complaints.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", complaints));
    }
    Object url = settings.get(URL);
    if (url == null || !isSet(url)) {
      return null;
    }
    Map<String, Object> client = new HashMap<>(DEFAULTS);
    settings.forEach(
        (name, value) -> {
          if (value != null) {
            client.put(name, value);
          }
        });
    return new RegistrySettings(
        urls(url),
        writesIds(settings.get(RecordFormat.KEY), true),
        autoRegister(settings),
        Map.copyOf(client),
        origin);
  }

  String location() {
    return String.join(",", urls) + (origin.isEmpty() ? "" : " (" + origin + ")");
  }

  private static boolean isSet(@Nullable Object url) {
    return url != null && !url.toString().isBlank();
  }

  private static List<String> urls(Object url) {
    Stream<String> entries =
        url instanceof List<?> list
            ? list.stream().map(String::valueOf)
            : Arrays.stream(url.toString().split(","));
    return entries.map(String::strip).filter(entry -> !entry.isEmpty()).toList();
  }

  private static boolean autoRegister(Map<String, ?> settings) {
    Object value = settings.get(AUTO_REGISTER);
    return value == null || isTrue(value);
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

  /**
   * @param secret whether some URL holds a password, which may contain commas
   */
  private static void check(String url, boolean secret) {
    // The client would write them to its log.
    if (url.contains("@")) {
      throw new IllegalArgumentException(
          "must hold no credentials, set basic.auth.credentials.source=USER_INFO and "
              + "basic.auth.user.info instead: schema.registry.url="
              + url.replaceFirst("^(https?:)?.*@", "$1//***@"));
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
        "must be http or https URLs, separated by commas: schema.registry.url="
            + (secret ? "***" : url));
  }
}
