package io.quotaenforcer.enforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.RandomRules;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import org.junit.jupiter.api.Test;

class WireRuleCodecTest {
  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private final WireRuleCodec codec = new WireRuleCodec(wire);

  @Test
  void decode_anyRule_isWhatWasEncoded() {
    RuleId id = new RuleId("posts", "per-user");
    Seeded.check(
        300,
        random -> {
          Rule rule = RandomRules.rule(random, id).withVersion(7, 3);
          assertThat(codec.decode(codec.encode(rule, 123))).isEqualTo(rule);
        });
  }

  @Test
  void decode_anythingElse_saysWhatIsWrong() {
    byte[] prefix = wire.encode(new PrefixInfo(16, 1, 100), 0);
    assertThatThrownBy(() -> codec.decode(prefix))
        .hasMessage("must be a QuotaRule: found a PrefixInfo");
    assertThatThrownBy(() -> codec.decode(new byte[] {1, 2, 3}))
        .isInstanceOf(RuntimeException.class)
        .hasMessageMatching(".+");
  }

  @Test
  void isRule_prefixRecord_isNone() {
    assertThat(codec.isRule(Topics.PREFIX_KEY)).isFalse();
    assertThat(codec.isRule("posts/per-user")).isTrue();
  }
}
