package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.core.RuleId;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The cases of a YAML resource; {@code their-answers.yaml} defines their form. */
final class AnswerTable {
  private AnswerTable() {}

  /** A configuration, and what is asked of it in turn. */
  record Case(Map<?, ?> fields) {
    List<String> files() {
      return ((List<?>) fields.get("files")).stream().map(String::valueOf).toList();
    }

    List<Step> steps() {
      return ((List<?>) fields.get("steps"))
          .stream().map(step -> new Step((Map<?, ?>) step)).toList();
    }

    /** Rules whose hits are told late. */
    Set<RuleId> late() {
      Object late = fields.get("late");
      return late == null
          ? Set.of()
          : ((List<?>) late)
              .stream().map(id -> RuleId.parse(String.valueOf(id))).collect(Collectors.toSet());
    }

    boolean has(String flag) {
      return Boolean.TRUE.equals(fields.get(flag));
    }

    @Override
    public String toString() {
      return String.valueOf(fields.get("source"));
    }
  }

  /** A request with its answer. */
  record Step(Map<?, ?> fields) {
    String ask() {
      return text("ask").orElseThrow();
    }

    int times() {
      return text("times").map(Integer::parseInt).orElse(1);
    }

    Duration after() {
      return text("after").map(after -> Duration.parse("PT" + after)).orElse(Duration.ZERO);
    }

    /** Whether the answer here is another one by choice. */
    boolean differs() {
      return fields.containsKey("ours");
    }

    String expected() {
      return text("ours").or(() -> text("theirs")).orElseThrow();
    }

    /** The fields that limits with room pass on; empty if there are none. */
    Object metadata() {
      Map<?, ?> metadata = fields.get("metadata") instanceof Map<?, ?> all ? all : Map.of();
      return metadata.get("metadata") instanceof Map<?, ?> passed ? plain(passed) : Map.of();
    }

    private Optional<String> text(String field) {
      return Optional.ofNullable(fields.get(field)).map(String::valueOf);
    }
  }

  static List<Case> read(String resource) {
    try (InputStream in = AnswerTable.class.getResourceAsStream(resource)) {
      Object all =
          new Load(LoadSettings.builder().build())
              .loadFromInputStream(Objects.requireNonNull(in, resource));
      return ((List<?>) all).stream().map(one -> new Case((Map<?, ?>) one)).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Map<String, Object> plain(Map<?, ?> map) {
    Map<String, Object> plain = new LinkedHashMap<>();
    map.forEach((name, value) -> plain.put(String.valueOf(name), plain(value)));
    return plain;
  }

  private static Object plain(Object value) {
    if (value instanceof Map<?, ?> map) {
      return plain(map);
    }
    if (value instanceof List<?> list) {
      return list.stream().map(AnswerTable::plain).toList();
    }
    return value instanceof Number number ? (Object) number.doubleValue() : value;
  }
}
