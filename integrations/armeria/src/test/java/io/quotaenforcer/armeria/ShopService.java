package io.quotaenforcer.armeria;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.testkit.AdapterTrial;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/** A small service on Armeria, in this process or as one of its own. */
final class ShopService {
  private ShopService() {}

  /** Started. */
  static Server start(Admission admission, Duration maxWait) {
    HttpQuota quota =
        HttpQuota.builder(
                admission,
                http -> Optional.of(Request.of("ip", http.clientAddress(), "path", http.path())))
            .maxWait(maxWait)
            .build();
    Server server =
        Server.builder()
            .http(new InetSocketAddress("127.0.0.1", 0))
            .serviceUnder("/", (context, request) -> HttpResponse.of("hello"))
            .decorator(QuotaService.decorator(quota))
            .build();
    server.start().join();
    return server;
  }

  /**
   * @param arguments bootstrap servers, and a folder
   */
  public static void main(String[] arguments) throws Exception {
    AdmissionClient client = AdmissionClient.builder().bootstrapServers(arguments[0]).build();
    if (!client.awaitRules(Duration.ofSeconds(30))) {
      throw new IllegalStateException(client.readiness().toString());
    }
    Server server = start(client, Duration.ofSeconds(2));
    System.out.println(AdapterTrial.LISTENS + server.activeLocalPort());
    server.blockUntilShutdown();
  }
}
