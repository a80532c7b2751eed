package io.quotaenforcer.schemas.setting;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The types of settings that there are. */
public final class SettingTypes {
  private SettingTypes() {}

  /** Any text that is not blank. */
  public static SettingType<String> text() {
    return text("text", "a text that is not blank", text -> !text.isBlank());
  }

  /** A text that passes a check. */
  public static SettingType<String> text(String name, String expected, Predicate<String> check) {
    return of(
        name,
        expected,
        text -> {
          require(check.test(text));
          return text;
        });
  }

  /** A text that is never shown. */
  public static SettingType<String> secret() {
    return new SettingType<>("secret", "a text that is not blank", true, text().parser());
  }

  /** A whole number within bounds. */
  public static SettingType<Integer> integer(int min, int max) {
    String expected = "a whole number from " + min + " to " + max;
    return of(
        "integer, " + min + " to " + max,
        expected,
        text -> {
          int value = Integer.parseInt(text);
          require(value >= min && value <= max);
          return value;
        });
  }

  /** A duration within bounds, written as {@code 100ms}, {@code 2s}, {@code 10m}, {@code 1d}. */
  public static SettingType<Duration> duration(String min, String max) {
    Duration least = DurationText.parse(min);
    Duration most = DurationText.parse(max);
    return of(
        "duration, " + min + " to " + max,
        "a duration from " + min + " to " + max + " (500ms, 2s, 10m, 1h, 1d)",
        text -> {
          Duration value = DurationText.parse(text);
          require(value.compareTo(least) >= 0 && value.compareTo(most) <= 0);
          return value;
        });
  }

  public static SettingType<Boolean> bool() {
    return of(
        "boolean",
        "true or false",
        text -> {
          require(text.equals("true") || text.equals("false"));
          return text.equals("true");
        });
  }

  /** A constant of an enum, written in lower case with hyphens. */
  public static <E extends Enum<E>> SettingType<E> oneOf(Class<E> type) {
    List<E> constants = Arrays.asList(type.getEnumConstants());
    String words = constants.stream().map(SettingTypes::word).collect(Collectors.joining(", "));
    return of(
        words,
        "one of " + words,
        text ->
            constants.stream()
                .filter(constant -> word(constant).equals(text))
                .findFirst()
                .orElseThrow(IllegalArgumentException::new));
  }

  /** Brokers as Kafka takes them. */
  public static SettingType<String> hostPorts() {
    return text(
        "host:port, ...",
        "host:port, or several with commas between them",
        text -> Arrays.stream(text.split(",", -1)).allMatch(part -> isHostPort(part.strip())));
  }

  /** One host and port. */
  public static SettingType<String> hostPort() {
    return text("host:port", "host:port", text -> isHostPort(text) && !text.contains("://"));
  }

  /** An address of a service; several with commas between them are one value. */
  public static SettingType<String> urls() {
    return text(
        "URL, ...",
        "an http:// or https:// URL, or several with commas between them",
        text -> Arrays.stream(text.split(",", -1)).allMatch(part -> isHttpUrl(part.strip())));
  }

  /** A folder or file. */
  public static SettingType<Path> path() {
    return of(
        "path",
        "a path",
        text -> {
          require(!text.isEmpty());
          return Path.of(text);
        });
  }

  /** An optional value; empty text means none. */
  public static <T> SettingType<Optional<T>> optional(SettingType<T> type) {
    return new SettingType<>(
        type.name(),
        type.expected() + ", or empty",
        type.secret(),
        text -> text.isEmpty() ? Optional.empty() : Optional.of(type.parse(text)));
  }

  private static <T> SettingType<T> of(String name, String expected, Function<String, T> parser) {
    return new SettingType<>(name, expected, false, parser);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static boolean isHostPort(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
      return false;
    }
    int port = Integer.parseInt(text.substring(colon + 1));
    String host = text.substring(0, colon);
    boolean ipv6 = host.matches("\\[[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(%[A-Za-z0-9._-]+)?]");
    return port >= 1
        && port <= 65535
        && (ipv6 || host.matches("([A-Za-z0-9_+]+://)?[A-Za-z0-9._-]+"));
  }

  private static boolean isHttpUrl(String text) {
    URI uri = URI.create(text);
    return uri.getHost() != null
        && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
  }

  private static void require(boolean right) {
    if (!right) {
      throw new IllegalArgumentException();
    }
  }
}
