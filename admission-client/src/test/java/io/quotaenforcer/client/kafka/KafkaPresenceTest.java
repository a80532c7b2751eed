package io.quotaenforcer.client.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.quotaenforcer.client.kafka.KafkaPresence.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class KafkaPresenceTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(KafkaPresence.class.getName());
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Set<Address> there = new HashSet<>();
  private final List<Address> asked = new ArrayList<>();
  private final KafkaPresence presence =
      new KafkaPresence(List.of(new Address("a", 1), new Address("b", 2)), this::answers);

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(log);
    logger.setLevel(null);
  }

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
    assertThat(log.list).singleElement().matches(line -> line.getLevel() == Level.WARN);
  }

  @Test
  void brokers_oneAnswersAgain_isThereAndSaidOnce() {
    presence.look();
    there.add(new Address("b", 2));

    for (int i = 0; i < 10; i++) {
      assertThat(presence.look()).isFalse();
    }

    assertThat(log.list)
        .hasSize(2)
        .last()
        .matches(line -> line.getFormattedMessage().startsWith("Kafka can be reached again"));
  }

  @Test
  void brokers_onlyOneThatIsNotAmongTheFirst_isThere() {
    there.add(new Address("c", 3));
    presence.learn(List.of(new Node(1, "c", 3)));

    assertThat(presence.look()).isFalse();

    assertThat(log.list).isEmpty();
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
