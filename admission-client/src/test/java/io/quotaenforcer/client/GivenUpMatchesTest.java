package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.GivenUp;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GivenUpMatchesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final RuleId RULE = new RuleId("posts", "reads");

  private final Map<GivenUp, Long> counts = new HashMap<>();
  private final List<String> heard = new ArrayList<>();
  private final GivenUpMatches matches =
      new GivenUpMatches(
          this::take,
          new ClientTelemetry() {
            @Override
            public void matchGivenUp(RuleId rule, String attribute, long times) {
              heard.add(rule + " " + attribute + " " + times);
            }
          });

  @Test
  void tick_whatWasGivenUp_isToldAtOnce_andOnceASecondAtMost() {
    // A monotonic clock may well be negative.
    long now = Long.MAX_VALUE - SECOND / 2;
    counts.put(new GivenUp(RULE, "api"), 3L);
    matches.tick(now);
    counts.put(new GivenUp(RULE, "api"), 4L);
    matches.tick(now + SECOND / 2);
    assertThat(heard).containsExactly("posts/reads api 3");

    matches.tick(now + SECOND);
    matches.tick(now + 3 * SECOND);
    assertThat(heard).containsExactly("posts/reads api 3", "posts/reads api 4");
  }

  @Test
  void client_paddedPath_isThrottled_andTelemetryHearsOfIt() {
    Rule rule =
        Rule.of(RULE, List.of("user"), new FixedWindow(2, 60 * SECOND))
            .withMatch(Map.of("api", new Matcher.Regex(Pattern.compile("GET /(a|b)+"))));
    Queue<String> told = new ConcurrentLinkedQueue<>();
    ClientTelemetry telemetry =
        new ClientTelemetry() {
          @Override
          public void matchGivenUp(RuleId id, String attribute, long times) {
            told.add(id + " " + attribute + " " + times);
          }
        };
    try (AdmissionClient client =
        new AdmissionClient(
            AdmissionSettings.read(
                Map.of("bootstrap.servers", "127.0.0.1:9", "close.timeout", "0"),
                UnaryOperator.identity()),
            Clocks.system(),
            telemetry)) {
      client.book().applyRules(RuleSet.of(List.of(rule)), System.nanoTime());
      int admitted = 0;
      for (int i = 0; i < 10; i++) {
        Request padded = Request.of("user", "42", "api", "GET /" + "a".repeat(10_000 + i));
        admitted += client.decide(padded).admitted() ? 1 : 0;
      }
      assertThat(admitted).isEqualTo(2);
      client.start();
      await().until(() -> !told.isEmpty());
      assertThat(told).containsExactly("posts/reads api 10");
    }
  }

  private Map<GivenUp, Long> take() {
    Map<GivenUp, Long> taken = Map.copyOf(counts);
    counts.clear();
    return taken;
  }
}
