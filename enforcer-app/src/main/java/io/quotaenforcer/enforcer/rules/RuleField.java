package io.quotaenforcer.enforcer.rules;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A field of the rule language, with how its value is read and explained.
 *
 * @param <O> what has the field: a rule, or a part of one
 * @param <V> its value
 * @param words empty where an explanation repeats what a rule file says
 */
record RuleField<O, V>(Spelling<O> spelling, Reader<V> reader, Optional<Explainer> words) {

  /** Reads a value; gives null when it is wrong, which is reported. */
  interface Reader<V> {
    /**
     * @param reading has the fields before this one
     * @param node null when the field is left out
     */
    @Nullable V read(Reading reading, @Nullable Node node);
  }

  /** Reads a value that is there. */
  interface Given<V> {
    @Nullable V read(Reading reading, Node node, String name);
  }

  /** Explains what a rule has there, in no line, one or several. */
  interface Explainer {
    List<RuleExplanation.Line> of(RuleExplanation.Told rule);
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

  /** A field whose value is one of some words. */
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
  RuleField<O, V> told(String label, Function<RuleExplanation.Told, String> text) {
    return told(rule -> List.of(new RuleExplanation.Line(label, text.apply(rule))));
  }

  /** The same, explained with another field. */
  RuleField<O, V> toldElsewhere() {
    return told(rule -> List.of());
  }

  static <O> List<Spelling<O>> spellings(List<RuleField<O, ?>> fields) {
    return fields.stream().<Spelling<O>>map(RuleField::spelling).toList();
  }
}
