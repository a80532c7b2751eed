package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.CapturedLog;
import io.quotaenforcer.client.internal.kafka.KafkaPresence.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KafkaPresenceTest {
  @RegisterExtension final CapturedLog log = new CapturedLog(KafkaPresence.class);
  private final Set<Address> there = new HashSet<>();
  private final List<Address> asked = new ArrayList<>();
  private final KafkaPresence presence =
      new KafkaPresence(List.of(new Address("a", 1), new Address("b", 2)), this::answers);

  private boolean answers(Address address) {
    asked.add(address);
    return there.contains(address);
  }

  @Test
  void brokers_noneAnswers_isAwayAndSaidOnce() {
    for (int i = 0; i < 10; i++) {
      assertThat(presence.look()).isTrue();
    }

    assertThat(presence.isAway()).isTrue();
    assertThat(log.said()).singleElement().asString().startsWith("WARN ");
  }

  @Test
  void brokers_oneAnswersAgain_isThereAndSaidOnce() {
    presence.look();
    there.add(new Address("b", 2));

    for (int i = 0; i < 10; i++) {
      assertThat(presence.look()).isFalse();
    }

    assertThat(log.said()).hasSize(2).last().asString().contains(" Kafka can be reached again");
  }

  @Test
  void brokers_onlyOneThatIsNotAmongTheFirst_isThere() {
    there.add(new Address("c", 3));
    presence.learn(List.of(new Node(1, "c", 3)));

    assertThat(presence.look()).isFalse();

    assertThat(log.said()).isEmpty();
  }

  @Test
  void brokers_manyThatHaveAllMoved_areThereAgainWhereTheFirstOnesAre() {
    presence.learn(IntStream.range(0, 100).mapToObj(i -> new Node(i, "old-" + i, 9)).toList());
    there.add(new Address("b", 2));

    assertThat(presence.look()).isFalse();

    assertThat(asked).as("a few of a hundred are enough").hasSizeLessThan(10);
  }

  @Test
  void servers_asKafkaTakesThem_areAllAsked() {
    KafkaPresence real =
        KafkaPresence.of(Map.of("bootstrap.servers", "PLAINTEXT://x.example:9, [::1]:10"));

    assertThat(real.servers()).isEqualTo("[x.example:9, ::1:10]");
  }

  @Test
  void port_thatListens_isThere() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      String server = "127.0.0.1:" + socket.getLocalPort();
      assertThat(KafkaPresence.of(Map.of("bootstrap.servers", server)).look()).isFalse();
      socket.close();
      assertThat(KafkaPresence.of(Map.of("bootstrap.servers", List.of(server))).look()).isTrue();
    }
  }

  @Test
  void pauses_growAndStayBelowTwoSeconds() {
    LookPause pause = new LookPause();
    for (int i = 0; i < 20; i++) {
      assertThat(pause.nextMillis()).isBetween(50L, 2_000L);
    }
    assertThat(pause.nextMillis()).isGreaterThanOrEqualTo(1_000L);
    pause.reset();
    assertThat(pause.nextMillis()).isLessThanOrEqualTo(100L);
  }
}
