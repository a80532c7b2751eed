package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.adapt.LoadSignal;
import io.quotaenforcer.core.message.LoadReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class LoadSenderTest {
  private static final LoadReport REPORT =
      new LoadReport("shop-1", Set.of(), false, LoadSignal.NOTHING);

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();
  private final List<Exception> failures = new ArrayList<>();
  private final ClientTelemetry telemetry =
      new ClientTelemetry() {
        @Override
        public void failed(String what, Exception cause) {
          failures.add(cause);
        }
      };
  private final LoadSource source =
      new LoadSource() {
        @Override
        public Optional<LoadReport> due(long now) {
          asked.incrementAndGet();
          return Optional.of(REPORT);
        }

        @Override
        public Optional<LoadReport> leaving() {
          return Optional.of(REPORT);
        }
      };
  private final LoadSender sender =
      new LoadSender(
          Links.instance(now::get, telemetry),
          Links.producing(
              Links.WIRE,
              () -> {
                throw new AssertionError("is not opened here");
              }),
          source);

  private void restsForAMinuteAfter(Producer<byte[], byte[]> producer) {
    sender.send(REPORT, producer);

    assertThat(failures).hasSize(1);
    now.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(sender.due()).isEmpty();
    assertThat(asked).as("what is said by nobody is worked out all the same").hasValue(1);
    assertThat(sender.leaving()).isEmpty();
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(sender.due()).contains(REPORT);
    assertThat(sender.leaving()).contains(REPORT);
  }

  @Test
  void load_isSentByItsInstance() {
    MockProducer<byte[], byte[]> producer = Links.producer(true);
    sender.send(REPORT, producer);

    assertThat(producer.history()).extracting(ProducerRecord::topic).containsExactly("quota.load");
    assertThat(Links.WIRE.decodeLoad(producer.history().get(0).value())).isEqualTo(REPORT);
    assertThat(failures).isEmpty();
    assertThat(sender.due()).contains(REPORT);
  }

  @Test
  void send_thatWaitsInVainForTheTopic_isNotTriedForAMinute() {
    restsForAMinuteAfter(Links.refusing(new TimeoutException("metadata")));
  }

  @Test
  void send_thatThrows_isNotTriedForAMinute() {
    MockProducer<byte[], byte[]> producer = Links.producer(true);
    producer.sendException = new KafkaException("interrupted");
    restsForAMinuteAfter(producer);
  }

  @Test
  void send_thatFailsLater_heldNobodyUp_andIsTriedAtOnce() {
    MockProducer<byte[], byte[]> slow = Links.producer(false);
    sender.send(REPORT, slow);
    assertThat(failures).isEmpty();

    slow.errorNext(new TimeoutException("10 s"));

    assertThat(failures).hasSize(1);
    assertThat(sender.due()).contains(REPORT);
  }
}
