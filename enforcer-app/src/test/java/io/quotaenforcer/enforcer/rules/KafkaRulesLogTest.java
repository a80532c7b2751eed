package io.quotaenforcer.enforcer.rules;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaRulesLogTest {

  @Test
  void readFrom_nobodyThere_namesTheBrokers() {
    try (KafkaRulesLog log = log("127.0.0.1:1")) {
      assertThatThrownBy(() -> log.readFrom(0))
          .isInstanceOf(RulesException.class)
          .hasMessage(
              "no answer within 1 s: could not read topic quota.rules on 127.0.0.1:1; check"
                  + " --bootstrap-server, and whether the brokers are up");
    }
  }

  @Test
  void takeTurn_nobodyThere_namesTheBrokers() {
    try (KafkaRulesLog log = log("127.0.0.1:1")) {
      assertThatThrownBy(log::takeTurn)
          .isInstanceOf(RulesException.class)
          .hasMessage(
              "no answer within 1 s: could not write topic quota.rules on 127.0.0.1:1; check"
                  + " --bootstrap-server, and whether the brokers are up");
    }
  }

  @Test
  void append_withoutATurn_isRefused() {
    try (KafkaRulesLog log = log("127.0.0.1:1")) {
      assertThatIllegalStateException()
          .isThrownBy(
              () -> log.append(List.of(new RulesLog.Write("a/b", null)), List.of(), List.of()))
          .withMessage("must take a turn first");
    }
  }

  @Test
  void readFrom_addressThatIsNone_saysSo() {
    try (KafkaRulesLog log = log("nonsense")) {
      assertThatThrownBy(() -> log.readFrom(0))
          .isInstanceOf(RulesException.class)
          .hasMessageContaining("could not read topic quota.rules on nonsense")
          .hasMessageContaining("nonsense");
    }
  }

  private static KafkaRulesLog log(String bootstrapServers) {
    return new KafkaRulesLog(
        Map.of("bootstrap.servers", bootstrapServers),
        Map.of("bootstrap.servers", bootstrapServers),
        "quota.rules",
        "quota.rule-history",
        "quota.audit",
        Duration.ofSeconds(1),
        System::nanoTime);
  }
}
