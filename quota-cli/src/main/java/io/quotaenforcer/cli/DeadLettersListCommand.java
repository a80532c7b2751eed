package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.cli.text.Figures;
import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.api.LetterJson;
import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.enforcer.deadletters.Letters;
import io.quotaenforcer.enforcer.topics.TopicReader;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code quota dead-letters list}: lists dead letters with their reasons. */
@Command(
    name = "list",
    description = {
      "Shows the newest dead letters, in the order in which they were put aside.",
      "TIME is when a record was put aside, ORIGINAL TIME when it was written.",
      "The id is that of a deferred request, else the record's key."
    })
final class DeadLettersListCommand implements Callable<Integer> {
  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin private final LetterOptions wanted = new LetterOptions();
  @Mixin private final LimitOption limit = new LimitOption();

  DeadLettersListCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() {
    int most = limit.get(spec);
    Instant now = Instant.now();
    var since = wanted.sinceMillis(now);
    try (PrefixTopics topics = PrefixTopics.open(options)) {
      Letters letters = new Letters(topics.wire(), wanted.selected(options.prefix(), now), most);
      new TopicReader(topics.brokers(), System::nanoTime)
          .read(topics.wire().topics().deadLetters().name(), since, letters);
      show(letters);
    }
    return ExitCode.DONE;
  }

  private void show(Letters letters) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      ObjectNode root = Json.object().put("found", letters.found());
      ArrayNode array = root.putArray("deadLetters");
      for (DeadLetter letter : letters.newest()) {
        ObjectNode json = LetterJson.of(letter);
        letters
            .redrivenMillis(letter)
            .ifPresent(millis -> json.put("redrivenAt", LetterJson.time(millis)));
        array.add(json);
      }
      out.println(Json.write(root));
      return;
    }
    TextTable table =
        TextTable.of(
            "PLACE", "TIME", "ORIGINAL TIME", "TOPIC", "ID", "BYTES", "REDRIVEN AT", "REASON");
    for (DeadLetter letter : letters.newest()) {
      String redriven = letters.redrivenMillis(letter).map(LetterJson::time).orElse("-");
      table.row(LetterRows.row(letter, redriven, letter.aside().reason()));
    }
    table.lines().forEach(out::println);
    long hidden = letters.found() - letters.newest().size();
    if (hidden > 0) {
      out.println("%s older one(s) not shown; see --limit".formatted(Figures.number(hidden)));
    }
  }
}
