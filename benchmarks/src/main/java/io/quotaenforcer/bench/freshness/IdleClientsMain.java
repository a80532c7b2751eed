package io.quotaenforcer.bench.freshness;

import io.quotaenforcer.bench.process.LoggedJvm;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.Request;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Admission clients that have had some requests and get no more, until this is killed. Says each
 * usage report that it sends, by its number. Arguments: the Kafka to connect to, and how many
 * clients.
 */
final class IdleClientsMain {
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(60);
  private static final int USERS = 100;
  private static final String REPORT = "report ";

  private IdleClientsMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    Reports reports = new Reports();
    List<AdmissionClient> clients =
        IntStream.range(0, Integer.parseInt(arguments[1]))
            .mapToObj(number -> client(arguments[0], number, reports))
            .toList();
    List<Request> requests = new ArrayList<>();
    IntStream.range(0, USERS).forEach(user -> requests.add(Request.of("user", "user-" + user)));
    for (AdmissionClient client : clients) {
      if (!client.awaitRules(RULES_TIMEOUT)) {
        throw new IllegalStateException("a client has no rules after " + RULES_TIMEOUT);
      }
      requests.forEach(client::tryAcquire);
    }
    Thread.currentThread().join();
  }

  /** How many reports a process of this kind has sent so far. */
  static long reports(LoggedJvm process) throws IOException {
    return process.said().lines().filter(line -> line.startsWith(REPORT)).count();
  }

  private static AdmissionClient client(String servers, int number, ClientTelemetry telemetry) {
    return AdmissionClient.builder()
        .bootstrapServers(servers)
        .instance("idle-" + number)
        .telemetry(telemetry)
        .build();
  }

  private static final class Reports implements ClientTelemetry {
    private final AtomicLong sent = new AtomicLong();
    private final PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    @Override
    public void reported(int partition, int quotas, int bytes) {
      out.println(REPORT + sent.incrementAndGet());
    }
  }
}
