package io.quotaenforcer.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.rules.envoy.GatewayLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedLimitsTest {
  private static final String CONFIGURATION =
      """
      domain: edge
      descriptors:
        - key: user
          rate_limit: {unit: second, requests_per_unit: 2}
      """;

  @TempDir private Path folder;

  private GatewayLimits limits() throws IOException {
    Path file = Files.writeString(folder.resolve("edge.yaml"), CONFIGURATION);
    return ((GatewayLimits.Read.Valid) GatewayLimits.load(List.of(file))).limits();
  }

  @Test
  void limits_thatAreRules_areNotMissing() throws IOException {
    GatewayLimits limits = limits();

    assertThat(new PublishedLimits(limits, Set.of()).missing(RuleSet.of(limits.rules()))).isEmpty();
  }

  @Test
  void limit_thatIsNoRule_orOfOtherAttributes_isMissing() throws IOException {
    GatewayLimits limits = limits();
    Rule rule = limits.rules().iterator().next();
    RuleSet others = RuleSet.of(List.of(rule.withKey(RuleKey.of("user", "path"))));

    for (RuleSet rules : List.of(RuleSet.empty(), others)) {
      assertThat(new PublishedLimits(limits, Set.of()).missing(rules))
          .hasValueSatisfying(
              words -> assertThat(words).startsWith(rule.id().toString()).contains("publish them"));
    }
  }
}
