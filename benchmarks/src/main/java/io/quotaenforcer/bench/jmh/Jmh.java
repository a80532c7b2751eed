package io.quotaenforcer.bench.jmh;

import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Has JMH time one method, in a JVM of its own, in nanoseconds, with what it allocates.
 *
 * @param folder for what JMH and its JVMs say
 * @param complaints hears that when something fails
 */
public record Jmh(Path folder, Consumer<String> complaints) {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  /**
   * How long a method is timed.
   *
   * @param warmUps iterations before the first that counts
   * @param iterations that count
   * @param iterationMillis of each
   */
  public record Iterations(int warmUps, int iterations, int iterationMillis) {}

  /** Options to time a method: its mean time, by one thread, in one JVM, unless changed. */
  public static ChainedOptionsBuilder options(Class<?> type, String method, Iterations of) {
    TimeValue iteration = TimeValue.milliseconds(of.iterationMillis());
    return new OptionsBuilder()
        .include("^" + Pattern.quote(type.getName() + "." + method) + "$")
        .mode(Mode.AverageTime)
        .timeUnit(TimeUnit.NANOSECONDS)
        .forks(1)
        .warmupIterations(of.warmUps())
        .warmupTime(iteration)
        .measurementIterations(of.iterations())
        .measurementTime(iteration);
  }

  /**
   * Runs it.
   *
   * @param name that complaints call it by
   * @throws CommandException if it cannot be timed
   */
  public RunResult time(String name, ChainedOptionsBuilder options) {
    // JMH would refuse to run beside another one, also of another user.
    System.setProperty("jmh.ignoreLock", "true");
    Path said = folder.resolve("jmh.txt");
    options.addProfiler(GCProfiler.class).shouldFailOnError(true).output(said.toString());
    try {
      Collection<RunResult> results = new Runner(options.build()).run();
      if (results.size() != 1) {
        throw new CommandException(ExitCode.FAILED, "JMH does not know " + name + ": build again");
      }
      return results.iterator().next();
    } catch (RunnerException e) {
      complain(said);
      throw new CommandException(
          ExitCode.FAILED, "could not time " + name + ": " + e.getMessage(), e);
    }
  }

  /** Bytes allocated by one call. */
  public static double bytes(RunResult result) {
    return score(result.getSecondaryResults().get(ALLOCATED));
  }

  public static double score(@Nullable Result<?> result) {
    return result == null ? Double.NaN : result.getScore();
  }

  private void complain(Path said) {
    try {
      Files.readAllLines(said).forEach(complaints);
    } catch (IOException e) {
      complaints.accept("what JMH said cannot be read: " + e.getMessage());
    }
  }
}
