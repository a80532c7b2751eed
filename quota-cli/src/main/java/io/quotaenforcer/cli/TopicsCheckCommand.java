package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.SafeTransactions;
import io.quotaenforcer.enforcer.topics.TopicCheck;
import io.quotaenforcer.enforcer.topics.TopicCheck.Findings;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code quota topics check}: what an enforcer checks when it starts. */
@Command(name = "check", description = "Checks that the topics are as an enforcer needs them.")
final class TopicsCheckCommand implements Callable<Integer> {
  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  TopicsCheckCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() {
    try (Codecs codecs = options.codecs();
        Brokers brokers = options.connect()) {
      Findings findings =
          TopicCheck.run(brokers, options.prefix(), codecs, System::nanoTime)
              .with(SafeTransactions.complaint(brokers));
      PrintWriter out = spec.commandLine().getOut();
      if (options.json()) {
        out.println(Json.write(json(findings)));
      } else {
        show(findings, out, spec.commandLine().getErr());
      }
      return findings.isGood() ? ExitCode.DONE : ExitCode.FAILED;
    }
  }

  private void show(Findings findings, PrintWriter out, PrintWriter err) {
    findings.errors().forEach(error -> err.println(Printable.line("error: " + error)));
    findings.warnings().forEach(warning -> err.println(Printable.line("warning: " + warning)));
    findings
        .prefix()
        .filter(prefix -> findings.isGood())
        .ifPresent(
            prefix ->
                out.println(
                    "ok, prefix %s: %d partitions, at most %d instances per window"
                        .formatted(options.prefix(), prefix.partitions(), prefix.maxInstances())));
  }

  private ObjectNode json(Findings findings) {
    ObjectNode root = Json.object().put("prefix", options.prefix()).put("ok", findings.isGood());
    findings
        .prefix()
        .ifPresent(
            prefix ->
                root.put("partitions", prefix.partitions())
                    .put("maxInstances", prefix.maxInstances()));
    ArrayNode errors = root.putArray("errors");
    findings.errors().forEach(errors::add);
    ArrayNode warnings = root.putArray("warnings");
    findings.warnings().forEach(warnings::add);
    return root;
  }
}
