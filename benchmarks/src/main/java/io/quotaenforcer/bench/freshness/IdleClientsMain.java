package io.quotaenforcer.bench.freshness;

import io.quotaenforcer.bench.process.ParentProgram;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Admission clients that have had some requests and get no more. Answers each order, a byte, with
 * the nanoseconds of processor time that this process has used so far, and the usage reports that
 * it has sent. Arguments: the Kafka to connect to, and how many clients.
 */
final class IdleClientsMain {
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(60);
  private static final int USERS = 100;

  private IdleClientsMain() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    ParentProgram parent = ParentProgram.connect();
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
    while (parent.orders().read() >= 0) {
      parent.answers().writeLong(ProcessCpu.nanos());
      parent.answers().writeLong(reports.sent.get());
      parent.answers().flush();
    }
    clients.forEach(AdmissionClient::close);
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

    @Override
    public void reported(int partition, int quotas, int bytes) {
      sent.incrementAndGet();
    }
  }
}
