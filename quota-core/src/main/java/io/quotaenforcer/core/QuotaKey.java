package io.quotaenforcer.core;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.zip.CRC32C;

/**
 * The unit that is counted: a rule and the values of its key attributes.
 *
 * <p>Its text, {@code domain/rule-id/value/value}, is unique, printable and bounded in length:
 * values are percent-encoded, and one longer than {@value #MAX_VALUE_CHARS} characters is replaced
 * by its SHA-256, so that an invented attribute cannot make a key large. All such values that one
 * override by pattern {@linkplain #ofDenied denies} or {@linkplain #ofMarked limits} have one key.
 */
public final class QuotaKey {
  /** Longest attribute value that a key contains verbatim. */
  public static final int MAX_VALUE_CHARS = 200;

  /** Most key attributes of a rule: so a key has at most {@value #MAX_TEXT_CHARS} characters. */
  public static final int MAX_VALUES = 32;

  /** Length of a whole key, which is stored and sent with all its facts. */
  public static final int MAX_TEXT_CHARS = 1 << 16;

  /** Version of {@link #partition}: changes when a key would land on another partition. */
  public static final int HASH_VERSION = 1;

  private final RuleId rule;
  private final List<String> values;
  private final String text;

  /** 0 until it is computed; racing threads compute the same. */
  private int crc;

  private QuotaKey(RuleId rule, List<String> values, String text) {
    this.rule = rule;
    this.values = values;
    this.text = text;
  }

  /** The key of {@code rule} for these values of its key attributes, in the rule's order. */
  public static QuotaKey of(RuleId rule, List<String> values) {
    return of(rule, values, index -> hash(values.get(index)));
  }

  /**
   * The key of values that an override denies, at least one of them too long to appear verbatim:
   * only a holder of the value can tell that it is denied, so the key tells the others.
   */
  public static QuotaKey ofDenied(RuleId rule, List<String> values) {
    return of(rule, values, index -> QuotaKeyText.DENIED);
  }

  /**
   * The key of values with another limit by pattern, at least one of them too long to appear
   * verbatim.
   *
   * @param mark a {@linkplain #hash hash} that names the limit to those who do not have the values
   * @param marked the values that the mark represents, if they are too long
   */
  public static QuotaKey ofMarked(
      RuleId rule, List<String> values, String mark, IntPredicate marked) {
    return of(rule, values, index -> marked.test(index) ? mark : hash(values.get(index)));
  }

  /** Whether a value is too long to appear in a key verbatim. */
  public static boolean isTooLong(String value) {
    return value.length() > MAX_VALUE_CHARS;
  }

  /** Replacement in a key for a value that is too long. */
  public static String hash(String value) {
    return QuotaKeyText.hash(value);
  }

  /** The bytes of a value: UTF-8, extended to lone surrogates, so that no two share them. */
  public static byte[] octets(String value) {
    return QuotaKeyText.bytes(value);
  }

  private static QuotaKey of(RuleId rule, List<String> values, IntFunction<String> ofLong) {
    List<String> bounded = null;
    StringBuilder text = new StringBuilder(64).append(rule.domain()).append('/').append(rule.id());
    for (int i = 0; i < values.size(); i++) {
      String value = values.get(i);
      text.append('/');
      if (!isTooLong(value)) {
        text.append(QuotaKeyText.escape(value));
      } else {
        String hash = ofLong.apply(i);
        bounded = bounded == null ? new ArrayList<>(values) : bounded;
        bounded.set(i, hash);
        text.append(QuotaKeyText.ofHash(hash));
      }
    }
    return new QuotaKey(rule, List.copyOf(bounded == null ? values : bounded), text.toString());
  }

  /** Parses the output of {@link #toString}, and refuses any other spelling of it. */
  public static QuotaKey parse(String text) {
    if (text.length() > MAX_TEXT_CHARS) {
      throw new IllegalArgumentException(
          "must have at most %d characters: quotaKey=%s... has %d"
              .formatted(MAX_TEXT_CHARS, text.substring(0, MAX_VALUE_CHARS), text.length()));
    }
    String[] parts = text.split("/", -1);
    if (parts.length < 2) {
      throw new IllegalArgumentException("must be domain/rule-id/value...: quotaKey=" + text);
    }
    List<String> values = new ArrayList<>(parts.length - 2);
    for (int i = 2; i < parts.length; i++) {
      values.add(QuotaKeyText.unescape(parts[i]));
    }
    return new QuotaKey(new RuleId(parts[0], parts[1]), List.copyOf(values), text);
  }

  public RuleId rule() {
    return rule;
  }

  /** The key of the same values of another rule, which has the same key attributes. */
  public QuotaKey of(RuleId other) {
    String name = rule.toString();
    return new QuotaKey(other, values, other + text.substring(name.length()));
  }

  public List<String> values() {
    return values;
  }

  /**
   * Whether a value is longer than {@value #MAX_VALUE_CHARS} characters and is replaced by its
   * hash.
   */
  public boolean isHashed(int index) {
    return QuotaKeyText.looksHashed(values.get(index))
        && QuotaKeyText.isHash(text.split("/", -1)[index + 2]);
  }

  /** Whether it is a {@linkplain #ofDenied key of denied values}. */
  public boolean isDenied() {
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i).equals(QuotaKeyText.DENIED) && isHashed(i)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The partition that counts this key: CRC-32C of the text's bytes, which are ASCII, modulo {@code
   * partitions}.
   */
  public int partition(int partitions) {
    return (int) (Integer.toUnsignedLong(crc()) % partitions);
  }

  private int crc() {
    int known = crc;
    if (known == 0) {
      CRC32C computed = new CRC32C();
      computed.update(text.getBytes(StandardCharsets.US_ASCII));
      known = (int) computed.getValue();
      crc = known;
    }
    return known;
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
}
