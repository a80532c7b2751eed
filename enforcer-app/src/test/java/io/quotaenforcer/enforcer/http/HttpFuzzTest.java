package io.quotaenforcer.enforcer.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.enforcer.config.HttpConfig;
import io.quotaenforcer.enforcer.fuzz.Fuzzing;
import io.quotaenforcer.enforcer.query.LateDeferredQuery;
import io.quotaenforcer.enforcer.query.UsageAnswer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever is asked, it is answered, and never as if the enforcer were broken. */
@Timeout(1_000)
class HttpFuzzTest {
  private static final Duration TIME = Fuzzing.time(2);
  private static final List<String> WORDS =
      List.of(
          "/usage/",
          "posts/per-user",
          "/v1/deferred/stats",
          "/v1/deferred/list",
          "/v1/deferred/show",
          "/health/ready",
          "/../",
          "//",
          "?",
          "&",
          "=",
          "rule=posts/per-user",
          "key=posts/per-user/4%25202",
          "id=a",
          "payload=true",
          "limit=-1",
          "limit=10001",
          "partitions=0,1,999999999999",
          "after=a:b:c",
          "by-key=true",
          "user=1",
          "%",
          "%00",
          "%zz",
          "%c0%ae",
          "+",
          "#",
          "x".repeat(500));

  @Test
  void questions_ofAnyText_areAnswered() throws IOException {
    SplittableRandom random = new SplittableRandom(Fuzzing.SEED);
    long until = System.nanoTime() + TIME.toNanos();
    int asked = 0;
    try (EnforcerHttp http =
        EnforcerHttp.start(
            new HttpConfig("127.0.0.1", 0, Optional.empty()),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            Health.Ready::new,
            (rule, attributes) -> new UsageAnswer.NotFound("none"),
            new LateDeferredQuery())) {
      do {
        StringBuilder target = new StringBuilder("/");
        for (int i = random.nextInt(6); i >= 0; i--) {
          target.append(WORDS.get(random.nextInt(WORDS.size())));
        }
        String answer = ask(http.port(), target.toString());
        assertThat(answer)
            .as("seed %d, question %d: %s", Fuzzing.SEED, asked++, target)
            .matches("HTTP/1.1 (200|307|400|401|403|404|405|414|503) .*");
      } while (System.nanoTime() < until);
    }
    System.out.printf("fuzz: %,d questions, seed %d%n", asked, Fuzzing.SEED);
  }

  private static String ask(int port, String target) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String request = "GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      BufferedReader answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      String status = answer.readLine();
      return status == null ? "" : status;
    }
  }
}
