package io.quotaenforcer.bench.command;

import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.cli.JsonFile;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command of {@code quota bench}. */
public abstract class Bench implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin private final JsonFile json = new JsonFile();
  private boolean failed;

  /** Refuses options that cannot be, before a long run rather than after it. */
  protected void check() {}

  /** Measures and prints, and returns what {@code --json} writes. */
  protected abstract Object measure() throws Exception;

  @Override
  public final Integer call() throws Exception {
    check();
    json.checkWritable();
    Object report = measure();
    out().flush();
    json.write(() -> Report.text(report));
    return failed ? ExitCode.FAILED : ExitCode.DONE;
  }

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected final void print(List<String> lines) {
    lines.forEach(out()::println);
    out().flush();
  }

  /** Tells who waits what is being done. */
  protected final void say(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(line);
    err.flush();
  }

  /** A promise was broken: the exit code says so, too. */
  protected final void fail() {
    failed = true;
  }

  /**
   * Checks an option.
   *
   * @throws CommandException with this text if it is not as it must be
   */
  protected static void require(boolean holds, String mustBe, Object... values) {
    if (!holds) {
      throw new CommandException(ExitCode.USAGE, mustBe.formatted(values));
    }
  }
}
