package io.quotaenforcer.bench.gateway;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.command.OnlyOption;
import io.quotaenforcer.bench.figures.Machine;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.bench.gateway.load.Users;
import io.quotaenforcer.bench.gateway.served.RedisProgram;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quota bench gateway}: requests that a gateway answers, and how fast. */
@Command(
    name = "gateway",
    description = {
      "Loads a gateway over gRPC and HTTP, beside the same server that answers OK undecided, and a"
          + " rate limit service that counts in Redis by INCR: as many requests as each can answer,"
          + " then how long answers take at half of that. Each server is a process of its own;"
          + " they are loaded in turn.",
      "Without redis-server on the PATH, the service that counts in Redis is left out."
    })
public final class GatewayCommand extends Bench {
  private static final int LONGEST = 600;
  private static final GatewayScale QUICK = new GatewayScale(new WarmUp(1, 1), 1, 1);
  private static final WarmUp WARM_UP = new WarmUp(5, 36);
  private static final int ROUNDS = 3;

  @Option(
      names = "--seconds",
      defaultValue = "2",
      paramLabel = "N",
      description =
          "How long each measurement takes; there are six of each server and way to ask. Default:"
              + " ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--quick",
      description = "One round of a second each, hardly warmed up: whether it works at all.")
  private boolean quick;

  @Option(
      names = "--users",
      defaultValue = "10000",
      paramLabel = "N",
      description =
          "How many ask. The more there are, the less often each asks, and the more requests are"
              + " reported one by one. Default: ${DEFAULT-VALUE}.")
  private int users;

  @Mixin private final OnlyOption only = new OnlyOption();

  private record Figures(
      Machine machine,
      GatewayScale scale,
      int users,
      int concurrentRequests,
      List<GatewayRow> rows,
      @JsonUnwrapped Targets targets) {}

  @Override
  protected void check() {
    require(
        seconds >= 1 && seconds <= LONGEST, "must be from 1 to %d: --seconds=%d", LONGEST, seconds);
    require(
        users >= 1 && users <= Users.MOST, "must be from 1 to %d: --users=%d", Users.MOST, users);
  }

  @Override
  protected Object measure() throws Exception {
    GatewayScale scale = quick ? QUICK : new GatewayScale(WARM_UP, seconds, ROUNDS);
    Optional<RedisProgram> redis =
        RedisProgram.find(Objects.requireNonNullElse(System.getenv("PATH"), ""));
    if (redis.isEmpty()) {
      say("LEFT OUT: the service that counts in Redis: " + RedisProgram.HOW_TO_INSTALL);
    }
    List<GatewayRow> rows =
        new LoadRun(scale, redis, new Users(users), only::wants, this::say).run();
    print(GatewayRow.HEADER);
    print(rows.stream().map(GatewayRow::line).toList());
    Targets targets = GatewayTargets.of(rows);
    print(targets.describe());
    return new Figures(Machine.here(), scale, users, Protocol.CONCURRENT, rows, targets);
  }
}
