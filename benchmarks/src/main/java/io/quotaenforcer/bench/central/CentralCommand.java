package io.quotaenforcer.bench.central;

import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota bench central}: decisions of an admission client beside those of Redis. */
@Command(
    name = "central",
    description = {
      "Measures decisions per second, and how long a caller waits for one, of an admission client"
          + " and of limiters that count in Redis, with one thread and with two: INCR and EXPIRE, a"
          + " sorted set and a token bucket in Lua, and bucket4j, by Lettuce over one connection.",
      Users.COUNT
          + " users at random, whose limit is so high that all are admitted. Starts a Redis of its"
          + " own on loopback, which keeps nothing on disk; where none is installed, only the"
          + " admission client is measured."
    })
public final class CentralCommand implements Callable<Integer> {
  /** More than an admission client can decide in a window. */
  private static final Allowance ALLOWANCE = new Allowance(10_000_000, 1_000);

  private static final double MOST_SECONDS = 3_600;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(names = "--quick", description = "Under a minute in all.")
  private boolean quick;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "For each way to decide and number of threads, and twice as much before.")
  private @Nullable Double seconds;

  @Option(
      names = "--redis-server",
      paramLabel = "FILE",
      description = "The program to start. Default: redis-server, found on the PATH.")
  private @Nullable Path program;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws Exception {
    CentralScale scale = scale();
    Optional<RedisProgram> redis = redis();
    json.check();
    CentralResult result = run(scale, redis);
    PrintWriter out = spec.commandLine().getOut();
    result.describe().forEach(out::println);
    out.flush();
    json.write(result::toJson);
    return ExitCode.DONE;
  }

  private CentralResult run(CentralScale scale, Optional<RedisProgram> program) throws Exception {
    if (program.isEmpty()) {
      progress("Redis is not run: " + RedisProgram.HOW_TO_INSTALL);
      return run(scale, List.of(), Map.of(), RedisProgram.HOW_TO_INSTALL);
    }
    progress("starting " + program.get().file());
    try (RedisServer server = RedisServer.start(program.get());
        RedisLimiters limiters =
            new RedisLimiters(server.port(), ALLOWANCE, CentralCommand::epochMicros)) {
      List<CentralCase> cases = new ArrayList<>();
      limiters.all().forEach(limiter -> cases.addAll(CentralCase.of(limiter)));
      return run(scale, cases, limiters.configuration(), "");
    }
  }

  private CentralResult run(
      CentralScale scale, List<CentralCase> others, Map<String, Object> redis, String notRun)
      throws Exception {
    progress("starting a broker, an enforcer and a client");
    try (LocalDecisions local = LocalDecisions.start(ALLOWANCE)) {
      List<CentralCase> cases = new ArrayList<>(others);
      cases.addAll(CentralCase.of(local));
      List<CentralRow> rows = new CentralRun(scale, this::progress).run(cases);
      return new CentralResult(scale, ALLOWANCE, rows, new LinkedHashMap<>(redis), notRun);
    }
  }

  private CentralScale scale() {
    if (seconds == null) {
      return quick ? CentralScale.QUICK : CentralScale.FULL;
    }
    if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
      throw new CommandException(
          ExitCode.USAGE, "must be above 0 and at most 3600: --seconds=" + seconds);
    }
    return CentralScale.of(Duration.ofNanos((long) (seconds * TimeUnit.SECONDS.toNanos(1))));
  }

  private Optional<RedisProgram> redis() {
    if (program == null) {
      return RedisProgram.find(Optional.ofNullable(System.getenv("PATH")).orElse(""));
    }
    if (!Files.isExecutable(program) || Files.isDirectory(program)) {
      throw new CommandException(
          ExitCode.USAGE, "must be a program that can be run: --redis-server=" + program);
    }
    return Optional.of(new RedisProgram(program));
  }

  private void progress(String what) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(what);
    err.flush();
  }

  private static long epochMicros() {
    return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
  }
}
