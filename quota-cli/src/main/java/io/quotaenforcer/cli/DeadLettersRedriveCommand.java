package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.cli.text.Figures;
import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.api.LetterJson;
import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.enforcer.deadletters.Letters;
import io.quotaenforcer.enforcer.deadletters.Redrive;
import io.quotaenforcer.enforcer.deadletters.RedrivePlan;
import io.quotaenforcer.enforcer.deadletters.RedrivePlan.Step;
import io.quotaenforcer.enforcer.topics.BrokersException;
import io.quotaenforcer.enforcer.topics.RecordWriter;
import io.quotaenforcer.enforcer.topics.TopicReader;
import io.quotaenforcer.schemas.topic.Topics;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code quota dead-letters redrive}: writes letters back to their original topics. */
@Command(
    name = "redrive",
    description = {
      "Writes dead letters back to the topics that they came from.",
      "A deferred request waits again, at the end of its queue, with the same id and without a"
          + " deadline. Anything else is written as it was, which helps only if the cause is"
          + " gone.",
      "A letter is redriven once. It stays in its topic, marked as redriven."
    })
final class DeadLettersRedriveCommand implements Callable<Integer> {
  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin private final LetterOptions wanted = new LetterOptions();

  @Option(names = "--all", description = "All letters; needed if nothing else selects some.")
  private boolean all;

  @Option(
      names = "--again",
      description =
          "Also letters that were redriven before. A request that has run since then runs twice.")
  private boolean again;

  @Option(names = "--dry-run", description = "Shows what would be written, and writes nothing.")
  private boolean dryRun;

  DeadLettersRedriveCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() {
    if (wanted.filter(options.prefix()).isOpen() && !all) {
      throw new ParameterException(
          spec.commandLine(), "must be given: --id, --reason, --rule, --topic, or --all");
    }
    Instant now = Instant.now();
    Predicate<DeadLetter> selected = wanted.selected(options.prefix(), now);
    Optional<Long> since = wanted.sinceMillis(now);
    try (PrefixTopics prefix = PrefixTopics.open(options)) {
      RedrivePlan plan = dryRun ? plan(prefix, selected, since) : redriven(prefix, selected, since);
      show(plan);
      return plan.count(Step.WRITE) > 0 ? ExitCode.DONE : ExitCode.FAILED;
    }
  }

  private RedrivePlan plan(
      PrefixTopics prefix, Predicate<DeadLetter> selected, Optional<Long> since) {
    Topics topics = prefix.wire().topics();
    Letters letters = Letters.toPlan(prefix.wire(), selected);
    read(prefix, since, letters);
    if (!letters.isWhole()) {
      throw new CommandException(ExitCode.FAILED, tooMany(letters.found()));
    }
    return RedrivePlan.of(letters, topics.deferred().name(), Redrive.takingBack(topics), again);
  }

  /**
   * Begins to write before it reads: whoever redrives at the same time is ended by it, or ends it.
   */
  private RedrivePlan redriven(
      PrefixTopics prefix, Predicate<DeadLetter> selected, Optional<Long> since) {
    String id = prefix.wire().topics().deadLetters().name();
    try (RecordWriter writer = RecordWriter.inTransactions(prefix.brokers(), id)) {
      RedrivePlan plan = plan(prefix, selected, since);
      if (plan.count(Step.WRITE) > 0) {
        Redrive redrive = new Redrive(plan, prefix.wire(), prefix.partitions(), writer::write);
        try {
          read(prefix, since, redrive);
          redrive.flush();
        } catch (BrokersException e) {
          String far = howFar(redrive.redriven(), plan.count(Step.WRITE), again);
          throw new CommandException(ExitCode.of(e), e.getMessage() + "; " + far, e);
        }
      }
      return plan;
    }
  }

  /** Why nothing is redriven when more letters are selected than one run takes. */
  static String tooMany(long selected) {
    return "%s letters are selected, and one run takes %s at most, or fewer with long texts; nothing was written: take a part at a time, the oldest first, by --until and --since, or select fewer by --rule, --topic, --reason or --id"
        .formatted(Figures.number(selected), Figures.number(Letters.MOST_PLANNED));
  }

  /**
   * How many letters were redriven by a run that failed, and whether it may be repeated.
   *
   * @param again whether it redrives letters that are marked
   */
  static String howFar(long redriven, long wanted, boolean again) {
    return "%s of %s letters were redriven for sure; %s"
        .formatted(
            Figures.number(redriven),
            Figures.number(wanted),
            again
                ? "with --again they would be redriven once more: repeat it for those that quota dead-letters list does not show as REDRIVEN AT just now"
                : "run it again: it leaves out those that were");
  }

  private static void read(
      PrefixTopics prefix, Optional<Long> since, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    new TopicReader(prefix.brokers(), System::nanoTime)
        .read(prefix.wire().topics().deadLetters().name(), since, sink);
  }

  private void show(RedrivePlan plan) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      ObjectNode root = Json.object().put("dryRun", dryRun).put("redriven", plan.count(Step.WRITE));
      ArrayNode array = root.putArray("deadLetters");
      plan.steps().forEach((letter, step) -> array.add(json(letter, step)));
      out.println(Json.write(root));
      return;
    }
    TextTable table =
        TextTable.of("PLACE", "TIME", "ORIGINAL TIME", "TOPIC", "ID", "BYTES", "OUTCOME");
    for (Map.Entry<DeadLetter, Step> step : plan.steps().entrySet()) {
      table.row(LetterRows.row(step.getKey(), text(step.getValue())));
    }
    table.lines().forEach(out::println);
  }

  private ObjectNode json(DeadLetter letter, Step step) {
    return LetterJson.of(letter).put("outcome", text(step));
  }

  private String text(Step step) {
    return dryRun && step == Step.WRITE ? "would be redriven" : step.text();
  }
}
