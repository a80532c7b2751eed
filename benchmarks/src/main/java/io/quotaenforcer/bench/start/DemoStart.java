package io.quotaenforcer.bench.start;

import io.quotaenforcer.bench.figures.Percentile;
import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * How soon {@code quota demo} has something to show, from the start of the script.
 *
 * @param runs what each said until then
 */
record DemoStart(List<List<Said>> runs) {
  /** A second of the demo with the figures of every rule. */
  private static final Pattern TABLE = Pattern.compile("\\s*\\d+ s \\| .*");

  private static final long END_SECONDS = 20;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * A line of output.
   *
   * @param nanos since the start of the script
   */
  record Said(long nanos, String line) {
    double seconds() {
      return nanos / NANOS_PER_SECOND;
    }

    Map<String, Object> toJson() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("seconds", seconds());
      json.put("line", line);
      return json;
    }
  }

  /**
   * Runs it so many times, each until its first table. What has to be built is built before.
   *
   * @param script {@code quota}
   */
  static DemoStart measure(Path script, int runs, Consumer<String> progress)
      throws IOException, InterruptedException {
    progress.accept("building what the demo needs");
    untilIt(new ProcessBuilder(script.toString(), "version"), Pattern.compile(".*\\S.*"));
    List<List<Said>> all = new ArrayList<>();
    for (int i = 1; i <= runs; i++) {
      progress.accept("starting the demo: %d of %d".formatted(i, runs));
      all.add(untilIt(new ProcessBuilder(script.toString(), "demo"), TABLE));
    }
    return new DemoStart(all);
  }

  /** The median of all runs. */
  double seconds() {
    return Percentile.of(runs.stream().mapToLong(run -> last(run).nanos())).at(50)
        / NANOS_PER_SECOND;
  }

  List<String> describe() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "demo, to its first table: %.1f s, the median of %d".formatted(seconds(), runs.size()));
    for (Said said : runs.get(runs.size() - 1)) {
      lines.add("  %4.1f s  %s".formatted(said.seconds(), said.line()));
    }
    return lines;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("firstTableSeconds", runs.stream().map(run -> last(run).seconds()).toList());
    json.put("said", runs.stream().map(run -> run.stream().map(Said::toJson).toList()).toList());
    return json;
  }

  private static Said last(List<Said> run) {
    return run.get(run.size() - 1);
  }

  /** Runs a program until it says a line, and ends it; what it said up to that line. */
  private static List<Said> untilIt(ProcessBuilder program, Pattern wanted)
      throws IOException, InterruptedException {
    long started = System.nanoTime();
    Process process = program.redirectErrorStream(true).start();
    Thread hook = new Thread(process::destroy, "demo-end");
    Runtime.getRuntime().addShutdownHook(hook);
    List<Said> said = new ArrayList<>();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        said.add(new Said(System.nanoTime() - started, line.strip()));
        if (wanted.matcher(line).matches()) {
          return said;
        }
      }
    } finally {
      end(process);
      Runtime.getRuntime().removeShutdownHook(hook);
    }
    throw new CommandException(
        ExitCode.FAILED,
        "%s ended before it had anything to show: %s"
            .formatted(
                String.join(" ", program.command()),
                String.join(System.lineSeparator(), said.stream().map(Said::line).toList())));
  }

  private static void end(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }
}
