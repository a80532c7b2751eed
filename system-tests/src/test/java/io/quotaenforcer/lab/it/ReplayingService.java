package io.quotaenforcer.lab.it;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.message.Replay;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The program of a service that runs replays: it writes each one down in {@code replays.log}, on
 * the disk before the replay is acknowledged: {@code
 * micros,id,key,priority,number,paidNanos,windowStartNanos,outcome}. One in twenty is done only at
 * the second try, one in fifty fails for good.
 */
public final class ReplayingService {
  static final String LOG = "replays.log";

  private final LogFile log;
  private final Set<String> tried = ConcurrentHashMap.newKeySet();

  private ReplayingService(LogFile log) {
    this.log = log;
  }

  /** Arguments: bootstrap servers, folder. Ends at the line {@code stop}. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    try (LogFile log = new LogFile(Path.of(arguments[1]).resolve(LOG));
        AdmissionClient client =
            AdmissionClient.builder()
                .bootstrapServers(arguments[0])
                .domains(DeferralLoad.DOMAIN)
                .instance("replayer")
                .build()) {
      if (!client.awaitRules(Duration.ofSeconds(60))) {
        throw new IllegalStateException("must have rules within 20 s");
      }
      ReplayingService service = new ReplayingService(log);
      try (ReplayRunner runner = client.replays(service::handle, ReplayOptions.DEFAULTS)) {
        System.out.println("ready");
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      }
    }
    System.out.println("closed");
  }

  private ReplayOutcome handle(Replay replay) {
    int hash = Math.floorMod(replay.id().hashCode() * 31, 100);
    String outcome = "done";
    if (hash < 2) {
      outcome = "failed";
    } else if (hash < 7 && tried.add(replay.id())) {
      outcome = "retry";
    }
    log.write(
        ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()),
        replay.id(),
        replay.quotaKey(),
        replay.priority(),
        replay.number(),
        replay.paidNanos(),
        replay.windowStartNanos(),
        outcome);
    return switch (outcome) {
      case "failed" -> ReplayOutcome.failed("the test says so");
      case "retry" -> ReplayOutcome.retryLater(Duration.ofMillis(50));
      default -> ReplayOutcome.done();
    };
  }
}
