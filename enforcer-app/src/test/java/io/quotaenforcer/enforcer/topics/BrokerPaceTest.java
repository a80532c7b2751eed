package io.quotaenforcer.enforcer.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerPaceTest {
  private static final String CLEANUP =
      "transaction.abort.timed.out.transaction.cleanup.interval.ms";

  @Test
  void brokers_withKafkasDefaults_holdUpATakeover() {
    assertThat(BrokerPace.warnings(Map.of(CLEANUP, "10000", "broker.session.timeout.ms", "9000")))
        .singleElement()
        .asString()
        .contains("every 10000 ms", CLEANUP + "=500");
  }

  @Test
  void brokers_thatAreGivenUpLate_areSaid() {
    assertThat(BrokerPace.warnings(Map.of(CLEANUP, "500", "broker.session.timeout.ms", "18000")))
        .singleElement()
        .asString()
        .contains("for 18000 ms", "broker.session.timeout.ms=9000");
  }

  @Test
  void brokers_thatGoOnSoon_orDoNotSay_areNot() {
    assertThat(BrokerPace.warnings(Map.of(CLEANUP, "500", "broker.session.timeout.ms", "3000")))
        .isEmpty();
    assertThat(BrokerPace.warnings(Map.of())).isEmpty();
  }
}
