package io.quotaenforcer.enforcer.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.enforcer.config.HttpConfig;
import io.quotaenforcer.enforcer.fuzz.Fuzzing;
import io.quotaenforcer.enforcer.query.EnforcerQueries;
import io.quotaenforcer.enforcer.query.LateEnforcersQuery;
import io.quotaenforcer.enforcer.query.LatePenaltiesQuery;
import io.quotaenforcer.enforcer.query.UsageAnswer;
import io.quotaenforcer.server.Health;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is asked, it is answered, and never as if the enforcer were broken. */
@Timeout(1_000)
class HttpFuzzTest {
  private static final Duration TIME = Fuzzing.time(2);
  private static final String TOKEN = "0123456789abcdef";
  private static final String PAYLOAD = "/v1/deferred/show?id=" + OneDeferred.ID + "&payload=true";
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
          "id=" + OneDeferred.ID,
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

  /** Queries sent whole now and then, so that answers with data are among them. */
  private static final List<String> QUESTIONS =
      List.of(
          "/v1/deferred/stats?rule=posts/per-user",
          "/v1/deferred/list?rule=posts/per-user&limit=2",
          "/v1/deferred/show?id=" + OneDeferred.ID,
          PAYLOAD,
          "/v1/penalties?rule=posts/per-user",
          "/usage/posts/per-user?user=1",
          "/metrics",
          "/health/live");

  private static final List<String> VERBS =
      List.of("GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH");

  private static final List<String> TOKENS =
      List.of(
          "", "Bearer ", "Bearer x", "Basic " + TOKEN, TOKEN, "Bearer " + TOKEN, "Bearer " + TOKEN);

  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)");

  @TempDir Path folder;

  @Test
  void questions_ofAnyText_areAnsweredAndTellNobodyWhatATokenGuards() throws IOException {
    SplittableRandom random = new SplittableRandom(Fuzzing.SEED);
    Path token = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    HttpConfig config = new HttpConfig("127.0.0.1", 0, Optional.empty(), 0, Optional.of(token));
    PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    long until = System.nanoTime() + TIME.toNanos();
    int asked = 0;
    int told = 0;
    try (EnforcerHttp http =
            EnforcerHttp.start(
                config,
                metrics,
                Health.Ready::new,
                new EnforcerQueries(
                    (rule, attributes) -> new UsageAnswer.NotFound("none"),
                    new OneDeferred(),
                    new LatePenaltiesQuery(),
                    new LateEnforcersQuery()));
        ProbeHttp probes = ProbeHttp.start(config, metrics, Health.Ready::new)) {
      do {
        String verb = oneOf(VERBS, random);
        String target = target(random);
        String authorization = oneOf(TOKENS, random);
        int port = random.nextInt(4) == 0 ? probes.port() : http.port();
        String answer = ask(port, verb, target, authorization);
        String question = "%s %s, %s".formatted(verb, target, authorization);
        assertThat(answer.lines().findFirst().orElse(""))
            .as("seed %d, question %d: %s", Fuzzing.SEED, asked++, question)
            .matches("HTTP/1.1 (200|307|400|401|403|404|405|413|414|503) .*");
        boolean tells = answer.contains(OneDeferred.SECRET);
        assertThat(tells && !authorization.equals("Bearer " + TOKEN)).as(question).isFalse();
        told += tells ? 1 : 0;
      } while (System.nanoTime() < until);
      assertThat(ask(http.port(), "GET", PAYLOAD, "Bearer " + TOKEN)).contains(OneDeferred.SECRET);
    }
    System.out.printf("fuzz: %,d questions, %,d told all, seed %d%n", asked, told, Fuzzing.SEED);
  }

  private static String target(SplittableRandom random) {
    StringBuilder target =
        new StringBuilder(random.nextInt(3) == 0 ? oneOf(QUESTIONS, random) : "/");
    for (int i = random.nextBoolean() ? 0 : random.nextInt(6); i > 0; i--) {
      target.append(oneOf(WORDS, random));
    }
    return target.toString();
  }

  private static String oneOf(List<String> choices, SplittableRandom random) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** The whole answer, its status first. */
  private static String ask(int port, String verb, String target, String authorization)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String header = authorization.isEmpty() ? "" : "Authorization: " + authorization + "\r\n";
      String request =
          "%s %s HTTP/1.1\r\nHost: a\r\n%sConnection: close\r\n\r\n"
              .formatted(verb, target, header);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return answer(socket.getInputStream(), verb);
    }
  }

  /** Reads no further than it says it goes: not every connection is closed at once. */
  private static String answer(InputStream in, String verb) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return head.toString();
      }
      head.append((char) next);
    }
    Matcher length = LENGTH.matcher(head);
    boolean hasBody = !verb.equals("HEAD") && length.find();
    int bytes = hasBody ? Integer.parseInt(length.group(1)) : 0;
    return head + new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
  }
}
