package io.quotaenforcer.cli;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.enforcer.deadletters.LetterFilter;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select dead letters. */
final class LetterOptions {
  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "Only letters that came from this topic, such as deferred or quota.deferred.")
  private @Nullable String topic;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Only letters with this text in their reason, such as cancelled.")
  private @Nullable String reason;

  @Option(
      names = "--rule",
      paramLabel = "DOMAIN/ID",
      converter = RuleIdConverter.class,
      description = "Only deferred requests of this rule.")
  private @Nullable RuleId rule;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description =
          "Only the deferred request with this id, or the letter at this place, such as 0-17.")
  private List<String> ids = List.of();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only letters put aside since then, such as 2h (ago) or 2026-01-31T12:00:00Z.")
  private @Nullable String since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Only letters put aside until then, in the forms of --since.")
  private @Nullable String until;

  LetterFilter filter(String prefix) {
    Optional<String> name =
        Optional.ofNullable(topic).map(text -> text.startsWith(prefix) ? text : prefix + text);
    return new LetterFilter(
        name, Optional.ofNullable(reason), Optional.ofNullable(rule), new HashSet<>(ids));
  }

  /** Selects by all of the options but {@code --since}. */
  Predicate<DeadLetter> selected(String prefix, Instant now) {
    long untilMillis =
        until == null ? Long.MAX_VALUE : PastTime.parse("--until", until, now).toEpochMilli();
    return filter(prefix).and(letter -> letter.aside().millis() <= untilMillis);
  }

  /** Epoch milliseconds, if it is given. */
  Optional<Long> sinceMillis(Instant now) {
    return Optional.ofNullable(since)
        .map(text -> PastTime.parse("--since", text, now).toEpochMilli());
  }
}
