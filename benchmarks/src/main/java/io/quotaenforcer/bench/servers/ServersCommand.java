package io.quotaenforcer.bench.servers;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quota bench servers}: real HTTP servers that follow their own load. */
@Command(
    name = "servers",
    description = {
      "Three HTTP servers of known capacity, each with an admission client, get a steady load for"
          + " 70 seconds; after ten, one of them becomes half as fast for thirty.",
      "By a limit of each instance that stays as it is, and by one that follows the load of each"
          + " instance."
    })
public final class ServersCommand extends Bench {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Twice what a healthy server can do. */
  private static final Rule FIXED =
      Rule.of(
              new RuleId("servers", "each-instance"),
              List.of(),
              new SlidingWindow(2L * ServerTrial.CAPACITY, SECOND))
          .withEnforcement(Enforcement.PER_INSTANCE)
          .withVersion(1, 1);

  private static final Rule FOLLOWING =
      FIXED.withAdapt(
          AdaptTerms.of(
                  1,
                  new AdaptStep(
                      LoadCondition.parse("queue > 5"),
                      SECOND,
                      Lowering.ToServed.DEFAULT,
                      Recovery.Growing.DEFAULT))
              .withScope(LoadScope.INSTANCE));

  @Option(names = "--quick", description = "3, 10 and 3 seconds.")
  private boolean quick;

  @Option(
      names = "--plot",
      paramLabel = "FILE.svg",
      description = "Writes a picture of what came of each second.")
  private @Nullable Path plot;

  private record Figures(
      int servers,
      int capacity,
      int asked,
      long patienceMillis,
      List<ServersRow> rows,
      @JsonUnwrapped Targets targets) {}

  @Override
  protected Object measure() throws Exception {
    Course course = quick ? Course.QUICK : Course.FULL;
    print(
        List.of(
            "%d servers, each can do %d requests/s and gets %d, one of them can do half for %d s"
                .formatted(
                    ServerTrial.SERVERS, ServerTrial.CAPACITY, ServerTrial.ASKED, course.slow()),
            ServersRow.head()));
    List<ServersRow> rows = new ArrayList<>();
    measure("stays as it is", FIXED, course, rows);
    measure("follows each instance's load", FOLLOWING, course, rows);
    Targets targets = new Targets();
    ServersRow following = rows.get(1);
    targets.atLeast(
        "good answers of the slowed server, of its capacity",
        following.slowedGood() / (ServerTrial.CAPACITY / 2.0),
        0.9);
    targets.atLeast(
        "good answers of the others, of what they are asked",
        following.othersGood() / ServerTrial.ASKED,
        0.99);
    targets.atLeast(
        "good answers of the slowed server afterwards, of what it is asked",
        following.afterGood() / ServerTrial.ASKED,
        0.95);
    print(targets.describe());
    if (plot != null) {
      Files.writeString(plot, new ServersPlot(course, rows).svg());
    }
    return new Figures(
        ServerTrial.SERVERS,
        ServerTrial.CAPACITY,
        ServerTrial.ASKED,
        ServerTrial.PATIENCE.toMillis(),
        rows,
        targets);
  }

  private void measure(String limit, Rule rule, Course course, List<ServersRow> rows)
      throws IOException, InterruptedException {
    ServersRow row = ServersRow.of(limit, course, new ServerTrial(rule, course).run());
    print(List.of(row.toString()));
    rows.add(row);
  }
}
