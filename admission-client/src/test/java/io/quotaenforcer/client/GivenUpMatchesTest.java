package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.allotment.GivenUp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private Map<GivenUp, Long> take() {
    Map<GivenUp, Long> taken = Map.copyOf(counts);
    counts.clear();
    return taken;
  }
}
