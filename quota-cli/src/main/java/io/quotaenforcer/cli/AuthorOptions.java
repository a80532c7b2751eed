package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.rules.Authorship;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options for the author of a change of rules, and the reason. */
final class AuthorOptions {
  @Option(
      names = "--author",
      paramLabel = "NAME",
      description = "Who changes the rule, for its history. Default: the user of this process.")
  private @Nullable String author;

  @Option(
      names = "--message",
      paramLabel = "TEXT",
      description = "Why the rule changes, for its history.")
  private @Nullable String message;

  Authorship get(CommandSpec spec) {
    String name = author == null ? System.getProperty("user.name", "unknown") : author;
    Optional<String> why = Optional.ofNullable(message).filter(text -> !text.isBlank());
    try {
      return new Authorship(name, why);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
