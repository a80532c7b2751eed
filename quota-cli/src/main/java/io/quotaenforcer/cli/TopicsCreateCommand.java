package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.TopicCreation;
import io.quotaenforcer.enforcer.topics.TopicCreation.Result;
import io.quotaenforcer.enforcer.topics.TopicCreation.Wish;
import io.quotaenforcer.enforcer.topics.TopicDifference;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topic;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code quota topics create}. */
@Command(
    name = "create",
    description = {
      "Creates missing topics. Leaves existing ones as they are, unless --alter is given.",
      "Names the settings of existing topics that an older version made smaller than they should"
          + " be.",
      "Also announces this version's schemas, so run it first when you upgrade."
    })
final class TopicsCreateCommand implements Callable<Integer> {
  private static final int MAX_PARTITIONS = 10_000;
  static final int MAX_INSTANCES = 1_000_000;

  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description =
          "Partitions of topics that are spread by quota key: at most this many enforcers share"
              + " the work. Cannot be changed later. Default: 16.")
  private @Nullable Integer partitions;

  @Option(
      names = "--replication-factor",
      paramLabel = "N",
      description = "Copies of each record. Default: what the brokers are configured with.")
  private @Nullable Integer replicationFactor;

  @Option(
      names = "--max-instances",
      paramLabel = "N",
      description =
          "The most admission clients to expect: local shares and shared openings are divided by"
              + " it. Cannot be changed later. Default: 100.")
  private @Nullable Integer maxInstances;

  @Option(
      names = "--alter",
      description =
          "Raises settings of existing topics that are too small to what new topics have.")
  private boolean alter;

  @Option(
      names = "--dry-run",
      description = "Shows what would be created or altered, and changes nothing.")
  private boolean dryRun;

  TopicsCreateCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() {
    Wish wish =
        new Wish(
            within("--partitions", partitions, MAX_PARTITIONS),
            within("--replication-factor", replicationFactor, Short.MAX_VALUE),
            within("--max-instances", maxInstances, MAX_INSTANCES));
    try (Codecs codecs = options.codecs();
        Brokers brokers = options.connect()) {
      TopicCreation creation =
          new TopicCreation(
              brokers, options.prefix(), codecs, System::currentTimeMillis, System::nanoTime);
      Result result = creation.run(wish, dryRun);
      if (result instanceof Result.Refused refused) {
        throw new CommandException(ExitCode.FAILED, String.join("\n", refused.reasons()));
      }
      Result.Done done = (Result.Done) result;
      if (alter && !dryRun) {
        creation.raise(done.differences());
      }
      show(done);
      return ExitCode.DONE;
    }
  }

  private void show(Result.Done done) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(Json.write(json(done)));
    } else {
      TextTable table = TextTable.of("TOPIC", "PARTITIONS", "CLEANUP", dryRun ? "WOULD BE" : "WAS");
      done.created().forEach(topic -> row(table, topic, "created"));
      done.kept().forEach(topic -> row(table, topic, became(done, topic)));
      table.lines().forEach(out::println);
    }
    PrintWriter err = spec.commandLine().getErr();
    if (!alter) {
      done.differences()
          .forEach(it -> err.println(Printable.line("warning: " + it.text() + "; see --alter")));
    }
    done.warnings().forEach(warning -> err.println(Printable.line("warning: " + warning)));
  }

  private String became(Result.Done done, Topic<?, ?> topic) {
    boolean altered =
        alter && done.differences().stream().anyMatch(it -> it.topic().equals(topic.name()));
    return altered ? "altered" : "kept";
  }

  private static void row(TextTable table, Topic<?, ?> topic, String what) {
    table.row(topic.name(), topic.partitions(), cleanup(topic), what);
  }

  private ObjectNode json(Result.Done done) {
    ObjectNode root =
        Json.object()
            .put("prefix", options.prefix())
            .put("partitions", done.prefix().partitions())
            .put("maxInstances", done.prefix().maxInstances())
            .put("dryRun", dryRun);
    ArrayNode created = root.putArray("created");
    done.created().forEach(topic -> created.add(topic.name()));
    ArrayNode kept = root.putArray("kept");
    done.kept().forEach(topic -> kept.add(topic.name()));
    ArrayNode differences = root.putArray("differences");
    for (TopicDifference it : done.differences()) {
      differences
          .addObject()
          .put("topic", it.topic())
          .put("setting", it.setting())
          .put("was", it.is())
          .put("wanted", it.wanted());
    }
    root.put("altered", alter);
    ArrayNode warnings = root.putArray("warnings");
    done.warnings().forEach(warnings::add);
    return root;
  }

  private static String cleanup(Topic<?, ?> topic) {
    return topic.config().getOrDefault("cleanup.policy", "-");
  }

  private OptionalInt within(String option, @Nullable Integer value, int most) {
    if (value == null) {
      return OptionalInt.empty();
    }
    if (value < 1 || value > most) {
      throw new ParameterException(
          spec.commandLine(), "must be from 1 to " + most + ": " + option + "=" + value);
    }
    return OptionalInt.of(value);
  }
}
