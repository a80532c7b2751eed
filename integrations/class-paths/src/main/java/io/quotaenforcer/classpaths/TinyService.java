package io.quotaenforcer.classpaths;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.client.RequestEventEmitter;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * The program of a service that does everything with an admission client that goes through Kafka:
 * it asks for more than a limit, defers a request and runs it, and emits request events. Prints
 * what it found, as {@code name value}.
 */
public final class TinyService {
  static final int REQUESTS = 400;
  static final int EVENTS = 10;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** For the last report and the events to arrive, which are counted. */
  private static final String CLOSE_TIMEOUT = "30s";

  private final String servers;
  private final String domain;

  private TinyService(String servers, String domain) {
    this.servers = servers;
    this.domain = domain;
  }

  /**
   * Arguments: bootstrap servers, the domain of its rules, and what else is on the class path:
   * {@code avro}, {@code jackson}, or both.
   */
  public static void main(String[] arguments) throws Exception {
    List<String> beside = List.of(arguments).subList(2, arguments.length);
    print("kafka", AppInfoParser.getVersion());
    if (beside.contains("avro")) {
      print("avro", AvroUse.run());
    }
    if (beside.contains("jackson")) {
      print("jackson", JacksonUse.run());
    }
    TinyService service = new TinyService(arguments[0], arguments[1]);
    service.decide();
    service.emit();
  }

  private void decide() throws InterruptedException, ExecutionException, TimeoutException {
    try (AdmissionClient client =
        AdmissionClient.builder()
            .bootstrapServers(servers)
            .domains(domain)
            .property("close.timeout", CLOSE_TIMEOUT)
            .build()) {
      if (!client.awaitRules(PATIENCE)) {
        throw new IllegalStateException("must have rules: readiness=" + client.readiness());
      }
      print("admitted", admitted(client));
      print("replayed", replayed(client));
    }
  }

  /** Waits for permits until there are none left. */
  private int admitted(AdmissionClient client) throws InterruptedException {
    int admitted = 0;
    for (int i = 0; i < REQUESTS; i++) {
      boolean waits = admitted == i;
      Decision decision =
          waits ? client.decide(request("ask"), PATIENCE) : client.decide(request("ask"));
      admitted += decision.admitted() ? 1 : 0;
    }
    return admitted;
  }

  /** The payload of the request that was deferred, as its handler got it. */
  private String replayed(AdmissionClient client)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<String> payload = new CompletableFuture<>();
    try (ReplayRunner runner =
        client.replays(
            replay -> {
              payload.complete(new String(replay.payload().toByteArray(), US_ASCII));
              return ReplayOutcome.done();
            },
            ReplayOptions.DEFAULTS)) {
      while (client.tryAcquire(request("later"))) {
        // Until it is throttled.
      }
      client
          .defer(request("later"), Deferral.of("mail".getBytes(US_ASCII)))
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return payload.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private void emit() {
    try (RequestEventEmitter events =
        RequestEventEmitter.create(
            Map.of(
                "bootstrap.servers", servers, "service", "tiny", "close.timeout", CLOSE_TIMEOUT))) {
      for (int i = 0; i < EVENTS; i++) {
        events.emit(request("seen"), Outcome.ADMITTED);
      }
    }
  }

  /** A request of a user whom only this service has: rules of all domains count events. */
  private Request request(String api) {
    return Request.of("api", api, "user", domain);
  }

  private static void print(String name, Object value) {
    System.out.println(name + " " + value);
  }
}
