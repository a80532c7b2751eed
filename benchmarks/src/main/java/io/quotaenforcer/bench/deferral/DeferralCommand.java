package io.quotaenforcer.bench.deferral;

import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import io.quotaenforcer.enforcer.embedded.TemporaryFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code quota bench deferral}: what deferred requests cost while they wait, and how they leave.
 */
@Command(
    name = "deferral",
    description = {
      "Defers 1,000,000 requests of 1 KiB for 100,000 quota keys, and measures how fast an enforcer"
          + " takes and releases them, what they cost it while they wait, how soon another one"
          + " releases them when it is killed, and how evenly a steady rule lets them out.",
      "A broker and the service in this process, enforcers as processes of their own with "
          + DeferralScale.HEAP_MEBIBYTES
          + " MiB of heap and rocksdb.memory.mb="
          + DeferralScale.ROCKSDB_MEBIBYTES
          + " each. Needs a JDK, for jcmd."
    })
public final class DeferralCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--quick",
      description = "100,000 requests for 10,000 quota keys, 5 s of outflow, and nobody is killed.")
  private boolean quick;

  @Option(names = "--requests", paramLabel = "N", description = "Requests that wait.")
  private @Nullable Integer requests;

  @Option(names = "--keys", paramLabel = "N", description = "Quota keys that they wait for.")
  private @Nullable Integer keys;

  @Option(
      names = "--outflow-seconds",
      paramLabel = "N",
      description = "Seconds of outflow that are judged. Default: 30; with --quick, 5.")
  private @Nullable Integer outflowSeconds;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Draws the outflow into this file, as SVG.")
  private @Nullable Path plot;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws Exception {
    DeferralScale scale = scale();
    json.check();
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    DeferralFigures figures;
    try (TemporaryFolder folder = TemporaryFolder.create("quota-bench-deferral-")) {
      figures =
          new DeferralRun(
                  folder.path(),
                  scale,
                  what -> {
                    err.println(what);
                    err.flush();
                  })
              .run();
    }
    if (quick) {
      out.println("quick: a tenth of the full scale, and nobody was killed");
    }
    figures.describe().forEach(out::println);
    json.write(figures::toJson);
    if (plot != null) {
      draw(plot, figures);
    }
    return ExitCode.DONE;
  }

  private DeferralScale scale() {
    DeferralScale base = quick ? DeferralScale.QUICK : DeferralScale.FULL;
    try {
      return new DeferralScale(
          requests != null ? requests : base.requests(),
          keys != null ? keys : base.keys(),
          base.idleSeconds(),
          outflowSeconds != null ? outflowSeconds : base.outflowSeconds(),
          base.restore());
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private static void draw(Path file, DeferralFigures figures) throws IOException {
    Files.writeString(
        file, new OutflowPlot(BenchRules.RATE).draw(figures.steady(), figures.windowed()));
  }
}
