package io.quotaenforcer.core;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The unit that is counted: a rule and the values of its key attributes.
 *
 * <p>Its text, {@code domain/rule-id/value/value}, is unique, printable and bounded in length:
 * values are percent-encoded, and one longer than {@value #MAX_VALUE_CHARS} characters is replaced
 * by its SHA-256, so that an invented attribute cannot make a key large.
 */
public final class QuotaKey {
  /** Longest attribute value that stands in a key as it is. */
  public static final int MAX_VALUE_CHARS = 200;

  /** Version of {@link #partition}: changes when a key would land on another partition. */
  public static final int HASH_VERSION = 1;

  private final RuleId rule;
  private final List<String> values;
  private final String text;

  private QuotaKey(RuleId rule, List<String> values, String text) {
    this.rule = rule;
    this.values = values;
    this.text = text;
  }

  /** The key of {@code rule} for these values of its key attributes, in the rule's order. */
  public static QuotaKey of(RuleId rule, List<String> values) {
    List<String> bounded = new ArrayList<>(values.size());
    StringBuilder text = new StringBuilder(32).append(rule.domain()).append('/').append(rule.id());
    for (String value : values) {
      String boundedValue = bound(value);
      bounded.add(boundedValue);
      text.append('/').append(escape(boundedValue));
    }
    return new QuotaKey(rule, List.copyOf(bounded), text.toString());
  }

  /** Reads what {@link #toString} wrote. */
  public static QuotaKey parse(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length < 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
      throw new IllegalArgumentException("must be domain/rule-id/value...: quotaKey=" + text);
    }
    List<String> values = new ArrayList<>(parts.length - 2);
    for (int i = 2; i < parts.length; i++) {
      values.add(URLDecoder.decode(parts[i], StandardCharsets.UTF_8));
    }
    return new QuotaKey(new RuleId(parts[0], parts[1]), List.copyOf(values), text);
  }

  public RuleId rule() {
    return rule;
  }

  public List<String> values() {
    return values;
  }

  /**
   * The partition that counts this key: CRC-32C of the text's UTF-8 bytes, modulo {@code
   * partitions}.
   */
  public int partition(int partitions) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return (int) (crc.getValue() % partitions);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QuotaKey that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  private static String bound(String value) {
    if (value.length() <= MAX_VALUE_CHARS) {
      return value;
    }
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  private static String escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      boolean plain =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
              || c == '-' || c == '_' || c == '.';
      if (!plain) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
      }
    }
    return value;
  }
}
