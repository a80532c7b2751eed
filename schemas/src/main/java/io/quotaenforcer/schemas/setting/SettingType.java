package io.quotaenforcer.schemas.setting;

import java.util.function.Function;

/**
 * The permitted values of a setting.
 *
 * @param name as in the settings reference, with the unit or the bounds
 * @param expected ends the sentence "must be ..."
 * @param secret whether a value must not be shown
 * @param parser throws {@link IllegalArgumentException} for invalid text
 */
public record SettingType<T>(
    String name, String expected, boolean secret, Function<String, T> parser) {

  /** The value, or {@link IllegalArgumentException} saying what would be right. */
  public T parse(String text) {
    try {
      return parser.apply(text.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("must be " + expected, e);
    }
  }
}
