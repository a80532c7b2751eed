package io.quotaenforcer.bench.outage;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.figures.Machine;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.lab.outage.Fault;
import io.quotaenforcer.lab.outage.Outage;
import io.quotaenforcer.lab.outage.OutageRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quota bench outage}: what strict limits admit while something is away. */
@Command(
    name = "outage",
    description = {
      "Measures what strict limits admit while brokers, enforcers or services are killed, stand"
          + " still or are restarted: three brokers that keep each record three times, two"
          + " enforcers with a standby and three services, each a process of its own. All limits"
          + " are asked for 1.6 times what they allow, all the time.",
      "Exit code 1: a strict limit was over."
    })
public final class OutageCommand extends Bench {
  @Option(
      names = "--quick",
      description = "Three faults: ENFORCER_KILLED, BROKER_KILLED, ENFORCERS_AWAY.")
  private boolean quick;

  @Option(
      names = "--faults",
      split = ",",
      paramLabel = "NAME",
      description = "Some of ${COMPLETION-CANDIDATES}. Default: all.")
  private @Nullable List<Fault> faults;

  @Option(
      names = "--algorithms",
      split = ",",
      defaultValue = "FIXED_WINDOW,TOKEN_BUCKET,SLIDING_WINDOW",
      paramLabel = "NAME",
      description = "Some of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private List<LimitKind> algorithms = List.of();

  @Option(
      names = "--term",
      defaultValue = "30",
      paramLabel = "SECONDS",
      description =
          "How long permits last that a killed service held: so long it is away. Default:"
              + " ${DEFAULT-VALUE}.")
  private int termSeconds;

  @Option(
      names = "--keep",
      paramLabel = "FOLDER",
      description = "An empty folder: gets traces and logs, which are deleted without this.")
  private @Nullable Path keep;

  private record Figures(Machine machine, List<OutageRow> rows, @JsonUnwrapped Targets targets) {}

  @Override
  protected void check() {
    require(termSeconds >= 1, "must be >= 1: --term=%d", termSeconds);
    if (keep != null) {
      require(isNewOrEmpty(keep), "must be an empty folder: --keep=%s", keep);
    }
  }

  @Override
  protected Object measure() throws Exception {
    Outage outage =
        new Outage(
            chosen(),
            List.copyOf(EnumSet.copyOf(algorithms)),
            Duration.ofSeconds(termSeconds),
            Outage.WATCHED,
            Outage.WARM_UP_SECONDS);
    List<OutageRow> rows = run(outage);
    out().println(OutageRow.HEADER);
    print(rows.stream().map(OutageRow::line).toList());
    Targets targets = new Targets();
    rows.forEach(row -> OutageTargets.add(row, targets));
    print(targets.describe());
    if (rows.stream().anyMatch(row -> row.overPct() > 0)) {
      fail();
    }
    return new Figures(Machine.here(), rows, targets);
  }

  private List<OutageRow> run(Outage outage) throws Exception {
    if (keep != null) {
      return outage.run(Files.createDirectories(keep).toAbsolutePath(), this::say);
    }
    try (TemporaryFolder folder = TemporaryFolder.create("quota-bench-outage-")) {
      return outage.run(folder.path(), this::say);
    }
  }

  private List<Fault> chosen() {
    if (faults != null) {
      return List.copyOf(EnumSet.copyOf(faults));
    }
    return quick
        ? List.of(Fault.ENFORCER_KILLED, Fault.BROKER_KILLED, Fault.ENFORCERS_AWAY)
        : List.of(Fault.values());
  }

  private static boolean isNewOrEmpty(Path folder) {
    if (!Files.exists(folder)) {
      return true;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    } catch (IOException e) {
      return false;
    }
  }
}
