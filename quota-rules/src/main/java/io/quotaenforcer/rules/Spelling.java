package io.quotaenforcer.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Spelling of a field in rule files and on their page.
 *
 * @param <O> owner of the field: a rule, or a part of one
 * @param text the value in a rule file; empty if there is none
 * @param isImplied whether leaving the field out means the same
 * @param docs its rows of the page
 */
public record Spelling<O>(
    String name, Function<O, String> text, Predicate<O> isImplied, List<Doc> docs) {

  /** A row of the page of rules, in Markdown. */
  public record Doc(String field, String values, String byDefault) {}

  public Spelling {
    docs = List.copyOf(docs);
  }

  static <O> Spelling<O> of(String name, Function<O, String> text) {
    return new Spelling<>(name, text, object -> false, List.of());
  }

  /** The same, left out of a file where it is implied. */
  Spelling<O> leftOutIf(Predicate<O> implied) {
    return new Spelling<>(name, text, implied, docs);
  }

  /** The same, with a row on the page. */
  Spelling<O> doc(String values, String byDefault) {
    return docs(List.of(new Doc("`" + name + "`", values, byDefault)));
  }

  /** The same, with more rows on the page. */
  Spelling<O> docs(List<Doc> more) {
    List<Doc> all = new ArrayList<>(docs);
    all.addAll(more);
    return new Spelling<>(name, text, isImplied, all);
  }

  /** Whether a file must write it to mean this. */
  boolean isWritten(O object) {
    return !isImplied.test(object) && !text.apply(object).isEmpty();
  }

  static <O> List<String> names(List<Spelling<O>> fields) {
    return fields.stream().map(Spelling::name).toList();
  }

  /** {@code {permits: 2, per: 1s}}. */
  static <O> String inBraces(List<Spelling<O>> fields, O object) {
    return fields.stream()
        .filter(field -> field.isWritten(object))
        .map(field -> field.name() + ": " + field.text().apply(object))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /** The rows of fields within another. */
  static <O> List<Doc> docsWithin(String outer, List<Spelling<O>> fields) {
    return fields.stream()
        .flatMap(field -> field.docs().stream())
        .map(
            doc ->
                new Doc(
                    "`" + outer + "." + doc.field().substring(1), doc.values(), doc.byDefault()))
        .toList();
  }
}
