package io.quotaenforcer.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.utils.Exit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class BrokerFaultsTest {
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final BrokerFaults.Threads first =
      new BrokerFaults.Threads(reason -> told.add("first: " + reason));
  private final BrokerFaults.Threads second =
      new BrokerFaults.Threads(reason -> told.add("second: " + reason));

  @BeforeEach
  void listen() {
    BrokerFaults.listen(first);
    BrokerFaults.listen(second);
  }

  @AfterEach
  void unlisten() {
    BrokerFaults.unlisten(first);
    BrokerFaults.unlisten(second);
  }

  @Test
  void fault_onAThreadOfABroker_isToldToThatOneOnly() throws Exception {
    second.start("fault", () -> giveUp("disk")).join();

    assertThat(told).containsExactly("second: disk");
  }

  @Test
  void fault_onAThreadThatABrokersThreadStarted_isToldToThatBroker() throws Exception {
    first
        .start(
            "starter",
            () -> {
              Thread child = new Thread(() -> giveUp("raft"));
              child.start();
              try {
                child.join();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            })
        .join();

    assertThat(told).containsExactly("first: raft");
  }

  @Test
  void fault_ofABrokerThatIsClosed_isToldToNobody() throws Exception {
    BrokerFaults.unlisten(second);
    second.start("late fault", () -> giveUp("late")).join();

    assertThat(told).isEmpty();
  }

  @Test
  void fault_onAThreadOfNoBroker_isToldToAll() throws Exception {
    Thread shared = new Thread(() -> giveUp("pool"));
    shared.start();
    shared.join();

    assertThat(told).containsExactlyInAnyOrder("first: pool", "second: pool");
  }

  /** As Kafka does; what is thrown then ends the thread. */
  private static void giveUp(String reason) {
    try {
      Exit.halt(1, reason);
    } catch (Error e) {
      assertThat(e).hasMessage("the embedded broker stopped: " + reason);
    }
  }
}
