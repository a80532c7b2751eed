package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.message.LimitInForce;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.topics.TopicReader;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code quota limits}: how much of limits is in force by the load of a service. */
@Command(
    name = "limits",
    description = {
      "Shows how much of each limit is in force that follows the load of a service (adapt), since"
          + " when and why. Reads quota.limits-in-force."
    })
final class LimitsCommand implements Callable<Integer> {
  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  LimitsCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() {
    Map<RuleId, LimitInForce> inForce;
    try (PrefixTopics topics = PrefixTopics.open(options)) {
      inForce = read(topics);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(json(inForce));
    } else if (inForce.isEmpty()) {
      out.println("No published rule has a limit that follows the load.");
    } else {
      TextTable table = TextTable.of("RULE", "IN FORCE", "SINCE", "WHY");
      inForce.forEach((rule, it) -> table.row(rule, part(it), since(it).toString(), it.reason()));
      table.lines().forEach(out::println);
    }
    return ExitCode.DONE;
  }

  private Map<RuleId, LimitInForce> read(PrefixTopics topics) {
    Map<RuleId, LimitInForce> inForce = new TreeMap<>();
    // Every partition has the same.
    new TopicReader(topics.brokers(), System::nanoTime)
        .readPartition(
            new TopicPartition(topics.wire().topics().limitsInForce().name(), 0),
            record -> {
              String key = new String(record.key(), StandardCharsets.UTF_8);
              try {
                RuleId rule = RuleId.parse(key);
                if (record.value() == null) {
                  inForce.remove(rule);
                } else {
                  inForce.put(rule, topics.wire().decodeLimitInForce(record.value()));
                }
              } catch (RuntimeException e) {
                spec.commandLine()
                    .getErr()
                    .println(
                        Printable.line(
                            "warning: %s cannot be read: %s".formatted(key, e.getMessage())));
              }
            });
    return inForce;
  }

  private static String part(LimitInForce inForce) {
    return BigDecimal.valueOf(inForce.basisPoints(), 2).stripTrailingZeros().toPlainString() + "%";
  }

  private static Instant since(LimitInForce inForce) {
    return Instant.ofEpochMilli(inForce.sinceMillis());
  }

  private static String json(Map<RuleId, LimitInForce> inForce) {
    ObjectNode root = Json.object();
    ArrayNode limits = root.putArray("limits");
    inForce.forEach(
        (rule, it) ->
            limits
                .addObject()
                .put("rule", rule.toString())
                .put("part", (double) it.basisPoints() / AdaptTerms.WHOLE)
                .put("since", since(it).toString())
                .put("reason", it.reason()));
    return Json.write(root);
  }
}
