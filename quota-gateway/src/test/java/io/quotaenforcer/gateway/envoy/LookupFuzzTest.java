package io.quotaenforcer.gateway.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.gateway.envoy.NaiveEnvoy.Entry;
import io.quotaenforcer.gateway.envoy.RandomTree.Node;
import io.quotaenforcer.rules.envoy.GatewayLimits;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Any configuration and any requests: every answer is that of a second, simpler lookup. */
class LookupFuzzTest {
  private static final int CONFIGURATIONS = 300;
  private static final int REQUESTS = 40;

  private final Set<String> codes = new TreeSet<>();

  @Test
  void answers_areThoseOfANaiveModel() {
    Seeded.check(CONFIGURATIONS, this::compare);

    // Otherwise the configurations and requests hardly meet, and the comparison says little.
    assertThat(codes).contains("OK no", "OK unlimited", "OK 0", "OK 1", "OVER_LIMIT 0");
  }

  private void compare(SplittableRandom random) {
    RandomTree draw = new RandomTree(random);
    List<Node> top = draw.nodes(3);
    String yaml = RandomTree.yaml(top);
    GatewayLimits.Read read = GatewayLimits.parse("envoy.yaml", yaml);
    assertThat(read).as(yaml).isInstanceOf(GatewayLimits.Read.Valid.class);
    Served served = new Served(((GatewayLimits.Read.Valid) read).limits(), false, Set.of());
    NaiveEnvoy naive = new NaiveEnvoy(top);
    for (int i = 0; i < REQUESTS; i++) {
      List<List<Entry>> descriptors = draw.descriptors(top);
      long hits = random.nextInt(1, 4);
      String ask = text(descriptors, hits);
      String expected = naive.answer(descriptors, hits);
      assertThat(served.answer(ask)).as("%s, request %d of %s", ask, i, yaml).isEqualTo(expected);
      for (String status : expected.split("[|;] ")) {
        codes.add(status.strip().replaceAll("^(\\S+ \\S+).*", "$1"));
      }
    }
    served.advance(Duration.ofDays(1));
    naive.forget();
    List<List<Entry>> descriptors = draw.descriptors(top);
    assertThat(served.answer(text(descriptors, 1)))
        .as("in the next window of " + yaml)
        .isEqualTo(naive.answer(descriptors, 1));
  }

  private static String text(List<List<Entry>> descriptors, long hits) {
    return "d +%d | ".formatted(hits)
        + descriptors.stream()
            .map(
                entries ->
                    entries.stream()
                        .map(entry -> entry.key() + "=" + entry.value())
                        .collect(Collectors.joining(" ")))
            .collect(Collectors.joining("; "));
  }
}
