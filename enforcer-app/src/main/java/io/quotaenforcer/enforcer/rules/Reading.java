package io.quotaenforcer.enforcer.rules;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The values of one mapping of a rule file, as far as they were read and are right. */
final class Reading {
  private final Fields fields;
  private final Problems problems;
  private final Scalars scalars;
  private final Map<String, Object> values = new HashMap<>();
  private boolean isRight = true;

  private Reading(Fields fields, Problems problems) {
    this.fields = fields;
    this.problems = problems;
    this.scalars = new Scalars(problems);
  }

  /** Reads some fields in their order, and reports keys that are none of them. */
  static <O> Reading of(Fields given, List<RuleField<O, ?>> fields, Problems problems) {
    given.only(Spelling.names(RuleField.spellings(fields)));
    Reading reading = new Reading(given, problems);
    fields.forEach(reading::read);
    return reading;
  }

  private void read(RuleField<?, ?> field) {
    String name = field.spelling().name();
    Object value = field.reader().read(this, fields.optional(name));
    if (value == null) {
      isRight = false;
    } else {
      values.put(name, value);
    }
  }

  Fields fields() {
    return fields;
  }

  Problems problems() {
    return problems;
  }

  Scalars scalars() {
    return scalars;
  }

  /** Whether every field has a value. */
  boolean isRight() {
    return isRight;
  }

  /** The value of a field; null when it is wrong, which was reported. */
  <V> @Nullable V ifRight(RuleField<?, V> field) {
    @SuppressWarnings("unchecked") // this field has read it
    V value = (V) values.get(field.spelling().name());
    return value;
  }

  /** The value of a field that is right. */
  <V> V get(RuleField<?, V> field) {
    return Objects.requireNonNull(ifRight(field), field.spelling().name());
  }
}
