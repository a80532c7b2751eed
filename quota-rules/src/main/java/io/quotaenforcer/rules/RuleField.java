package io.quotaenforcer.rules;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleExplanation.Line;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A field of the rule language, with the reading and the explanation of its value.
 *
 * @param <O> owner of the field: a rule, or a part of one
 * @param <V> its value
 * @param words empty if an explanation repeats the rule file's text
 */
record RuleField<O, V>(Spelling<O> spelling, Reader<V> reader, Optional<Explainer> words) {

  /** Reads a value; returns null if it is wrong, which is reported. */
  interface Reader<V> {
    /**
     * @param reading has the fields before this one
     * @param node null if the field is left out
     */
    @Nullable V read(Reading reading, @Nullable Node node);
  }

  /** Reads a value that is there. */
  interface Given<V> {
    @Nullable V read(Reading reading, Node node, String name);
  }

  /** A rule being explained, with the words for its limits and its bound. */
  record Told(Rule rule, LimitWords limits, BoundWords bounds) {}

  /** Explains the field's value, in no line, one or several. */
  interface Explainer {
    List<Line> of(Told rule);
  }

  RuleField(Spelling<O> spelling, Reader<V> reader) {
    this(spelling, reader, Optional.empty());
  }

  /** A field that a file must have. */
  static <O, V> RuleField<O, V> required(Spelling<O> spelling, String remedy, Given<V> given) {
    String name = spelling.name();
    return new RuleField<>(
        spelling,
        (reading, node) -> {
          Node found = reading.fields().required(name, remedy);
          return found == null ? null : given.read(reading, found, name);
        });
  }

  /** A field that has a default. */
  static <O, V> RuleField<O, V> optional(Spelling<O> spelling, V byDefault, Given<V> given) {
    return new RuleField<>(
        spelling,
        (reading, node) -> node == null ? byDefault : given.read(reading, node, spelling.name()));
  }

  /** A field whose value is one of a few words. */
  static <O, V extends Enum<V>> RuleField<O, V> word(
      String name, V byDefault, Function<O, V> value, String values) {
    V[] constants = byDefault.getDeclaringClass().getEnumConstants();
    return optional(
        Spelling.<O>of(name, object -> Words.of(value.apply(object)))
            .doc(values, "`" + Words.of(byDefault) + "`"),
        byDefault,
        (reading, node, what) -> reading.scalars().constant(node, what, constants));
  }

  /** The same, explained so. */
  RuleField<O, V> told(Explainer how) {
    return new RuleField<>(spelling, reader, Optional.of(how));
  }

  /** The same, explained on one line. */
  RuleField<O, V> told(String label, Function<Told, String> text) {
    return told(rule -> List.of(new Line(label, text.apply(rule))));
  }

  /** The same, explained with another field. */
  RuleField<O, V> toldElsewhere() {
    return told(rule -> List.of());
  }

  static <O> List<Spelling<O>> spellings(List<RuleField<O, ?>> fields) {
    return fields.stream().<Spelling<O>>map(RuleField::spelling).toList();
  }

  /** The values of one mapping of a rule file that were read and are right. */
  static final class Reading {
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

    /** Reads fields in their order, and reports all other keys. */
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

    /** The value of a field; null if it is wrong, which was reported. */
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
}
