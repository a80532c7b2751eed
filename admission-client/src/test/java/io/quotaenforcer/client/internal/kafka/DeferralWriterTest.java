package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.internal.kafka.DeferralWriter.Written;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.Cancel;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeferralWriterTest {
  private static final QuotaKey KEY = QuotaKey.parse("posts/per-user/42");
  private static final Duration SOON = Duration.ofSeconds(10);

  private final Wire wire = Wire.of("quota.", Codecs.from(Map.of()));
  private final AtomicInteger partitions = new AtomicInteger(16);
  private final AtomicInteger opened = new AtomicInteger();
  private final Semaphore sent = new Semaphore(0);
  private final AtomicInteger looksInVain = new AtomicInteger();
  private boolean acknowledges = true;
  private volatile @Nullable MockProducer<byte[], byte[]> producer;
  private static final KafkaPresence PRESENT = new KafkaPresence(List.of(), address -> true);

  private final DeferralWriter writer =
      new DeferralWriter(wire, "i", partitions::get, this::open, PRESENT);

  @AfterEach
  void close() {
    writer.close(SOON);
  }

  @Test
  void writer_withoutRecords_opensNoProducer() {
    writer.close(SOON);

    assertThat(opened).hasValue(0);
    assertThat(writer.offer(item("a"))).isFalse();
  }

  @Test
  void records_goToThePartitionOfTheirKeyInTheOrderOfTheirComing() {
    List<TestItem> items = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      items.add(item("id-" + i));
      assertThat(writer.offer(items.get(i))).isTrue();
    }

    items.forEach(item -> assertThat(item.written).succeedsWithin(SOON).isEqualTo(Written.YES));
    List<ProducerRecord<byte[], byte[]>> history = producer().history();
    assertThat(history)
        .extracting(record -> wire.decodeDeferralInput(record.value()))
        .containsExactlyElementsOf(items.stream().map(TestItem::cancel).toList());
    assertThat(history)
        .allMatch(record -> record.topic().equals("quota.deferred"))
        .allMatch(record -> record.partition() == KEY.partition(16))
        .allMatch(
            record -> new String(record.key(), StandardCharsets.UTF_8).equals(KEY.toString()));
    assertThat(opened).hasValue(1);
  }

  @Test
  void record_offeredBeforeThePrefixIsKnown_isWrittenOnceItIs() {
    partitions.set(0);
    TestItem item = item("a");
    writer.offer(item);
    assertThat(item.written).isNotDone();

    partitions.set(4);

    assertThat(item.written).succeedsWithin(SOON).isEqualTo(Written.YES);
    assertThat(producer().history().get(0).partition()).isEqualTo(KEY.partition(4));
  }

  /** Else a producer that is asked for the first time on a busy machine would refuse the record. */
  @Test
  void record_offeredBeforeTheProducerKnowsTheTopic_isWrittenOnceItDoes() {
    looksInVain.set(3);
    TestItem item = item("a");
    writer.offer(item);

    assertThat(item.written).succeedsWithin(SOON).isEqualTo(Written.YES);
    assertThat(looksInVain).hasValue(-1);
    assertThat(opened).hasValue(1);
  }

  @Test
  void record_thatIsWithdrawn_isNotWritten() {
    TestItem withdrawn = item("a");
    withdrawn.withdrawn = true;
    TestItem next = item("b");
    writer.offer(withdrawn);
    writer.offer(next);

    assertThat(next.written).succeedsWithin(SOON);
    assertThat(producer().history()).hasSize(1);
    assertThat(withdrawn.written).isNotDone();
  }

  @Test
  void failure_afterTheProducerTookTheRecord_isUnknown() throws InterruptedException {
    acknowledges = false;
    TestItem item = item("a");
    writer.offer(item);
    assertThat(sent.tryAcquire(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

    while (!producer().errorNext(new TimeoutException("30 s"))) {
      Thread.onSpinWait();
    }

    assertThat(item.written).succeedsWithin(SOON).isEqualTo(Written.UNKNOWN);
  }

  @Test
  void failure_ofTheProducerItself_isNotWrittenAndAnotherProducerIsOpened() {
    TestItem refused = item("refused");
    writer.offer(refused);
    assertThat(refused.written).succeedsWithin(SOON).isEqualTo(Written.NO);

    TestItem next = item("b");
    writer.offer(next);

    assertThat(next.written).succeedsWithin(SOON).isEqualTo(Written.YES);
    assertThat(opened).hasValue(2);
  }

  @Test
  void item_thatEndsInAnError_isNotWritten_andTheNextOneIs() {
    TestItem deep = item("a");
    deep.error = new StackOverflowError();
    TestItem next = item("b");
    writer.offer(deep);
    writer.offer(next);

    assertThat(deep.written).succeedsWithin(SOON).isEqualTo(Written.NO);
    assertThat(next.written).succeedsWithin(SOON).isEqualTo(Written.YES);
    assertThat(opened).hasValue(1);
  }

  @Test
  void producer_thatEndsInAnError_writesNothing_andAnotherOneIsOpened() {
    TestItem unlinked = item("unlinked");
    writer.offer(unlinked);
    assertThat(unlinked.written).succeedsWithin(SOON).isEqualTo(Written.NO);

    TestItem next = item("b");
    writer.offer(next);

    assertThat(next.written).succeedsWithin(SOON).isEqualTo(Written.YES);
    assertThat(opened).hasValue(2);
  }

  @Test
  void bytes_asManyAsMayWait_refuseMoreButNoResults() {
    partitions.set(0);
    int large = (int) (DeferralWriter.MAX_WAITING_BYTES / 2);
    assertThat(writer.offer(item("a", large))).isTrue();
    TestItem second = item("b", large);
    assertThat(writer.offer(second)).isTrue();
    assertThat(writer.offer(item("c", 1))).isFalse();
    assertThat(writer.offer(item("d", 0))).isTrue();

    partitions.set(4);
    assertThat(second.written).succeedsWithin(SOON);
    assertThat(writer.offer(item("e", 1))).isTrue();
  }

  @Test
  void close_writesWhatWaits() {
    TestItem item = item("a");
    writer.offer(item);

    writer.close(SOON);

    assertThat(item.written).isCompletedWithValue(Written.YES);
  }

  @Test
  void close_whileThePrefixIsNotKnown_saysThatNothingIsWritten() {
    partitions.set(0);
    TestItem item = item("a");
    writer.offer(item);

    writer.close(Duration.ofMillis(1));

    assertThat(item.written).succeedsWithin(SOON).isEqualTo(Written.NO);
  }

  private MockProducer<byte[], byte[]> producer() {
    MockProducer<byte[], byte[]> open = producer;
    assertThat(open).isNotNull();
    return open;
  }

  private Producer<byte[], byte[]> open() {
    opened.incrementAndGet();
    MockProducer<byte[], byte[]> open =
        new MockProducer<>(
            acknowledges, null, new ByteArraySerializer(), new ByteArraySerializer()) {
          @Override
          public List<PartitionInfo> partitionsFor(String topic) {
            if (looksInVain.getAndDecrement() > 0) {
              throw new TimeoutException("Topic " + topic + " not present in metadata");
            }
            return super.partitionsFor(topic);
          }

          @Override
          public synchronized Future<RecordMetadata> send(
              ProducerRecord<byte[], byte[]> record, Callback callback) {
            String id = ((Cancel) wire.decodeDeferralInput(record.value())).id();
            if (id.equals("refused")) {
              throw new KafkaException("fatal");
            }
            if (id.equals("unlinked")) {
              throw new NoClassDefFoundError("of another version");
            }
            Future<RecordMetadata> future = super.send(record, callback);
            sent.release();
            return future;
          }
        };
    producer = open;
    return open;
  }

  private static TestItem item(String id) {
    return item(id, 0);
  }

  private static TestItem item(String id, int bytes) {
    return new TestItem(new Cancel(id, KEY, ""), bytes);
  }

  private static final class TestItem implements DeferralWriter.Item {
    private final Cancel cancel;
    private final int bytes;
    private final CompletableFuture<Written> written = new CompletableFuture<>();
    private volatile boolean withdrawn;
    private volatile @Nullable Error error;

    TestItem(Cancel cancel, int bytes) {
      this.cancel = cancel;
      this.bytes = bytes;
    }

    DeferralInput cancel() {
      return cancel;
    }

    @Override
    public QuotaKey quotaKey() {
      return KEY;
    }

    @Override
    public int bytes() {
      return bytes;
    }

    @Override
    public Optional<DeferralInput> input(int partitions) {
      Error fails = error;
      if (fails != null) {
        throw fails;
      }
      return withdrawn ? Optional.empty() : Optional.of(cancel);
    }

    @Override
    public void outcome(Written outcome, @Nullable Exception cause) {
      assertThat(written.complete(outcome)).isTrue();
    }
  }
}
