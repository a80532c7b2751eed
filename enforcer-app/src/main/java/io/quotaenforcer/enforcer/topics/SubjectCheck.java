package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.codec.SchemaRegistry;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares the schemas that this program writes with those of a schema registry. */
public final class SubjectCheck {
  private SubjectCheck() {}

  /** A subject of the registry, and what it has of this program's schema. */
  public record Subject(String name, State state) {}

  /** What a registry has of a schema. */
  public sealed interface State {
    /** The schema itself. */
    record Registered() implements State {}

    /** Nothing, or other versions, beside which it may be registered. */
    record Absent() implements State {}

    /** Other versions, beside which it may not be registered. */
    record Incompatible() implements State {}

    /** It does not say. */
    record Refused(String why) implements State {}
  }

  /**
   * Asks for each subject; changes nothing in the registry.
   *
   * @param registry that registers nothing
   * @throws CodecException if the registry is away
   */
  public static List<Subject> run(SchemaRegistry registry, Wire wire) {
    List<Subject> subjects = new ArrayList<>();
    for (Map.Entry<String, String> each : wire.subjects().entrySet()) {
      subjects.add(new Subject(each.getKey(), state(registry, each.getKey(), each.getValue())));
    }
    return List.copyOf(subjects);
  }

  private static State state(SchemaRegistry registry, String subject, String schema) {
    try {
      registry.idOf(subject, schema);
      return new State.Registered();
    } catch (CodecException e) {
      return switch (e.reason()) {
        case UNKNOWN_SCHEMA -> unregistered(registry, subject, schema);
        case REGISTRY_UNAVAILABLE -> throw e;
        default -> new State.Refused(String.valueOf(e.getMessage()));
      };
    }
  }

  private static State unregistered(SchemaRegistry registry, String subject, String schema) {
    try {
      return registry.accepts(subject, schema) ? new State.Absent() : new State.Incompatible();
    } catch (CodecException e) {
      return switch (e.reason()) {
        // No such subject.
        case UNKNOWN_SCHEMA -> new State.Absent();
        case REGISTRY_UNAVAILABLE -> throw e;
        default -> new State.Refused(String.valueOf(e.getMessage()));
      };
    }
  }
}
