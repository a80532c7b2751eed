package io.quotaenforcer.lab.up;

import io.quotaenforcer.enforcer.rules.Authorship;
import io.quotaenforcer.enforcer.rules.PublishedRules;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.enforcer.rules.RuleStore;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleFileLoader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Rules for somebody who has none yet. Those that were ever published are left as they are. */
final class FirstRules {
  static final String SAMPLE = "rules.yaml";
  private static final Authorship AUTHOR =
      new Authorship("quota up", Optional.of("the first rules"));

  private FirstRules() {}

  /**
   * The rules in force now.
   *
   * @param published whether this start published them
   */
  record InForce(int rules, boolean published) {}

  /**
   * Publishes a file if there are no rules.
   *
   * @param ownFile whether the user named it: then it must exist; else samples are written there
   * @throws UpException if the file is not valid, or cannot be written
   */
  static InForce publish(RuleStore store, Path file, boolean ownFile) {
    RuleAdmin admin = new RuleAdmin(store);
    PublishedRules there = admin.list();
    int known = there.rules().size() + there.unreadable().size();
    if (known > 0 || !admin.history().rules().isEmpty()) {
      return new InForce(known, false);
    }
    if (!ownFile) {
      writeSamples(file);
    }
    RuleFile.Valid rules = valid(file);
    admin.apply(rules, false).publish(AUTHOR);
    return new InForce(rules.rules().size(), true);
  }

  /** The rules of a file, which must be valid. */
  static RuleFile.Valid valid(Path file) {
    RuleFile read = RuleFileLoader.load(file);
    if (read instanceof RuleFile.Invalid invalid) {
      throw new UpException(
          invalid.problems().stream().map(Object::toString).collect(Collectors.joining("\n")));
    }
    return (RuleFile.Valid) read;
  }

  private static void writeSamples(Path file) {
    if (Files.exists(file)) {
      return;
    }
    try (InputStream samples =
        Objects.requireNonNull(FirstRules.class.getResourceAsStream(SAMPLE))) {
      Files.copy(samples, file);
    } catch (IOException e) {
      throw new UpException("cannot write the sample rules to " + file + ": " + e, e);
    }
  }
}
