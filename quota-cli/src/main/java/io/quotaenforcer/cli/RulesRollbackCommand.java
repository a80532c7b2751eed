package io.quotaenforcer.cli;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.rules.PlannedChanges;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.schemas.setting.DurationText;
import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota rules rollback DOMAIN[/ID] --to VERSION|TIME}. */
@Command(
    name = "rollback",
    description = {
      "Brings a rule back to one of its versions, or all rules of a domain to what they were at a"
          + " time, and shows what that changes.",
      "It publishes new versions. A rule that was deleted since comes back; one that was added"
          + " since is deleted."
    })
final class RulesRollbackCommand implements Callable<Integer> {
  private final RulesCommand rules;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "DOMAIN[/ID]", description = "A rule, or a domain.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String which;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "VERSION|TIME",
      description =
          "For a rule: a version, as quota rules history shows it. For a domain: a time such as"
              + " 2026-01-31T12:00:00Z, or how long ago, such as 2h.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String to;

  @Option(names = "--dry-run", description = "Shows what would change, and publishes nothing.")
  private boolean dryRun;

  @Mixin private AuthorOptions author = new AuthorOptions();

  RulesRollbackCommand(RulesCommand rules) {
    this.rules = rules;
  }

  @Override
  public Integer call() {
    Function<RuleAdmin, PlannedChanges> plan = which.contains("/") ? ofRule() : ofDomain();
    PrintWriter err = spec.commandLine().getErr();
    return rules.withRules(
        err,
        admin -> {
          PlannedChanges planned = plan.apply(admin);
          if (!rules.json() && planned.changesAny()) {
            planned.reason().ifPresent(spec.commandLine().getOut()::println);
          }
          return rules.publish(spec, planned, author, dryRun);
        });
  }

  private Function<RuleAdmin, PlannedChanges> ofRule() {
    RuleId id;
    try {
      id = RuleId.parse(which);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    if (!to.matches("[0-9]{1,18}")) {
      throw wrong("must be a version of the rule, as quota rules history %s shows: --to=%s", which);
    }
    long version = Long.parseLong(to);
    return admin -> admin.rollback(id, version);
  }

  private Function<RuleAdmin, PlannedChanges> ofDomain() {
    if (!RuleId.isName(which)) {
      throw new ParameterException(
          spec.commandLine(), "must be a domain, or domain/rule-id: " + which);
    }
    Instant now = Instant.now();
    Instant moment;
    try {
      moment =
          to.contains(":")
              ? OffsetDateTime.parse(to).toInstant()
              : now.minus(DurationText.parse(to));
    } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
      throw wrong(
          "must be a time such as 2026-01-31T12:00:00Z, or a duration such as 2h, for a whole"
              + " domain (a version is one of DOMAIN/ID): --to=%2$s",
          which);
    }
    if (moment.isAfter(now)) {
      throw wrong("must be in the past: --to=%2$s", which);
    }
    return admin -> admin.rollback(which, moment);
  }

  private ParameterException wrong(String must, String subject) {
    return new ParameterException(spec.commandLine(), must.formatted(subject, to));
  }
}
