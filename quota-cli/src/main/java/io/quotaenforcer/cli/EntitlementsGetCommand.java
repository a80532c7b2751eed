package io.quotaenforcer.cli;

import io.quotaenforcer.cli.entitlements.EntitledRule;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Entitlement;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.topics.TopicReader;
import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.server.text.Printable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code quota entitlements get}: the limit that data gives one quota key. */
@Command(
    name = "get",
    description =
        "Shows the limit that data gives one quota key. Reads its partition of the topic.")
final class EntitlementsGetCommand implements Callable<Integer> {
  private final EntitlementsCommand command;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin private final EntitlementOptions key = new EntitlementOptions();

  EntitlementsGetCommand(EntitlementsCommand command) {
    this.command = command;
  }

  /** The newest record of a quota key. */
  private static final class Newest {
    private byte @Nullable [] value;
  }

  @Override
  public Integer call() {
    EntitledRule rule = key.rule(command);
    try (PrefixTopics topics = PrefixTopics.open(command.options())) {
      for (QuotaKey each : key.keysOf(rule)) {
        String now = EntitlementText.of(rule.rule(), read(topics, each));
        spec.commandLine().getOut().println(Printable.line(each + ": " + now));
      }
    }
    return ExitCode.DONE;
  }

  private static Optional<Entitlement> read(PrefixTopics topics, QuotaKey key) {
    Wire wire = topics.wire();
    byte[] wanted = key.toString().getBytes(StandardCharsets.UTF_8);
    Newest newest = new Newest();
    new TopicReader(topics.brokers(), System::nanoTime)
        .readPartition(
            new TopicPartition(
                wire.topics().entitlements().name(), key.partition(topics.partitions())),
            record -> {
              if (Arrays.equals(record.key(), wanted)) {
                newest.value = record.value();
              }
            });
    byte[] value = newest.value;
    try {
      return Optional.ofNullable(value).map(wire::decodeEntitlement);
    } catch (RuntimeException e) {
      throw new CommandException(
          ExitCode.FAILED,
          "the entitlement of %s cannot be read, so the rule's own limit holds; set it again: %s"
              .formatted(key, e.getMessage()),
          e);
    }
  }
}
