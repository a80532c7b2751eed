package io.quotaenforcer.enforcer.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.logging.CapturedLog;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TransactionWatchTest {
  @RegisterExtension final CapturedLog log = new CapturedLog(TransactionWatch.class);

  @Test
  void look_thatFails_byNoFaultOfBrokers_isSaid_andTheNextIsMade() {
    TransactionWatch watch =
        new TransactionWatch(
            KafkaConnection.to("no address", "test"),
            new TransactionAdmin.Scope("counting", Set.of()),
            new OwnRecords(),
            () -> false);
    for (int i = 0; i < 3; i++) {
      watch.lookIfDue();
    }

    // Due from the second time on.
    assertThat(log.said())
        .containsExactly(
            "ERROR cannot look for transactions that hang",
            "ERROR cannot look for transactions that hang");
  }
}
