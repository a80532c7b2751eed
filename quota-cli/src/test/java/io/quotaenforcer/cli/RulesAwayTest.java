package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.rules.MemoryRuleStore;
import io.quotaenforcer.enforcer.rules.RuleStore;
import io.quotaenforcer.enforcer.rules.RulesException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Exit codes of commands that read rules, while Kafka answers, or gives no answer. */
class RulesAwayTest {
  private static final Supplier<RuleStore> AWAY =
      () -> {
        throw RulesException.unreachable("no answer within 1 s", null);
      };

  private final CommonOptions options = new CommonOptions(Map.of());
  private final StringWriter err = new StringWriter();

  @Test
  void rules_withoutAnAnswer_endWithThatCode() {
    assertThat(rules(AWAY)).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(err).hasToString("error: no answer within 1 s\n");
  }

  @Test
  void rules_withAnAnswerThatIsNo_fail() {
    Supplier<RuleStore> refusing =
        () -> {
          throw new RulesException("an ACL is missing");
        };

    assertThat(rules(refusing)).isEqualTo(ExitCode.FAILED);
    assertThat(err).hasToString("error: an ACL is missing\n");
  }

  @Test
  void entitlements_withoutAnAnswer_endWithThatCode() {
    assertThat(entitlements(AWAY)).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(entitlements(MemoryRuleStore::new)).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void penaltiesLift_withoutAnAnswer_endsWithThatCode() {
    assertThat(lift(AWAY)).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(lift(MemoryRuleStore::new)).isEqualTo(ExitCode.FAILED);
  }

  private int rules(Supplier<RuleStore> stores) {
    return run(
        RulesCommand.create(stores, () -> new PrefixInfo(8, 1, 20), () -> false, Map.of()), "list");
  }

  private int entitlements(Supplier<RuleStore> stores) {
    return run(
        EntitlementsCommand.create(options, stores), "get", "--rule", "posts/per-user", "user=42");
  }

  private int lift(Supplier<RuleStore> stores) {
    return run(
        PenaltiesCommand.create(options, stores), "lift", "--rule", "posts/per-user", "user=42");
  }

  private int run(CommandLine command, String... arguments) {
    return command
        .setErr(new PrintWriter(err, true))
        .setExecutionExceptionHandler(new CommandErrors(options))
        .execute(arguments);
  }
}
