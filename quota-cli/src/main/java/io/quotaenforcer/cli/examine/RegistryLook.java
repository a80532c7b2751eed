package io.quotaenforcer.cli.examine;

import io.quotaenforcer.cli.doctor.RegistryFacts;
import io.quotaenforcer.enforcer.config.RegistryConnection;
import io.quotaenforcer.enforcer.topics.SubjectCheck;
import io.quotaenforcer.enforcer.topics.SubjectCheck.State;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.codec.SchemaRegistry;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at what a schema registry has of this program's schemas. */
final class RegistryLook {
  private RegistryLook() {}

  /**
   * Asks for each subject.
   *
   * @param codecs that register nothing
   */
  static RegistryFacts facts(RegistryConnection connection, Codecs codecs, Wire wire) {
    Optional<SchemaRegistry> registry = codecs.registry();
    if (registry.isEmpty()) {
      return new RegistryFacts.None();
    }
    try {
      return facts(registry.get(), connection.registers(), SubjectCheck.run(registry.get(), wire));
    } catch (CodecException e) {
      return new RegistryFacts.Away(String.valueOf(e.getMessage()));
    }
  }

  private static RegistryFacts facts(
      SchemaRegistry registry, boolean registers, List<SubjectCheck.Subject> subjects) {
    int registered = 0;
    List<String> absent = new ArrayList<>();
    List<String> incompatible = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (SubjectCheck.Subject each : subjects) {
      State state = each.state();
      if (state instanceof State.Registered) {
        registered++;
      } else if (state instanceof State.Absent) {
        absent.add(each.name());
      } else if (state instanceof State.Incompatible) {
        incompatible.add(each.name());
      } else if (state instanceof State.Refused why) {
        refused.add(why.why());
      }
    }
    return new RegistryFacts.Answered(
        registry.location(), registers, registered, absent, incompatible, refused);
  }
}
