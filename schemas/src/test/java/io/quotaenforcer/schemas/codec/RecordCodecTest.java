package io.quotaenforcer.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.schemas.ExhaustedQuota;
import io.quotaenforcer.schemas.PrefixInfo;
import io.quotaenforcer.schemas.QuotaRule;
import io.quotaenforcer.schemas.RequestEvent;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordCodecTest {
  private final StubRegistry registry = new StubRegistry();
  private final RecordCodec<WireRecord> plain = RecordTypes.codecOfAll(Codecs.withoutRegistry());
  private final RecordCodec<WireRecord> registered = RecordTypes.codecOfAll(Codecs.with(registry));

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void record_encodedAndDecoded_isTheSame(long seed) {
    RandomRecords records = new RandomRecords(seed);
    for (int i = 0; i < 500; i++) {
      WireRecord record = records.next();
      assertThat(plain.decode(plain.encode(record))).as("seed=%d", seed).isEqualTo(record);
      assertThat(registered.decode(registered.encode(record)))
          .as("seed=%d", seed)
          .isEqualTo(record);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 6})
  void recordOfEitherFormat_withARegistry_isRead(long seed) {
    RandomRecords records = new RandomRecords(seed);
    for (int i = 0; i < 100; i++) {
      WireRecord record = records.next();
      assertThat(registered.decode(plain.encode(record))).as("seed=%d", seed).isEqualTo(record);
    }
  }

  @Test
  void codecBetweenTheFormats_readsBothAndWritesWithoutTheRegistry() {
    RecordCodec<WireRecord> between = RecordTypes.codecOfAll(Codecs.readingWith(registry));
    ExhaustedQuota record = new ExhaustedQuota(1L, 2L, 0L, 0L);

    assertThat(between.decode(registered.encode(record))).isEqualTo(record);
    assertThat(between.encode(record)).isEqualTo(plain.encode(record));
  }

  @Test
  void registryRecord_withoutARegistry_namesTheSetting() {
    byte[] bytes = registered.encode(new ExhaustedQuota(1L, 2L, 0L, 0L));

    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> plain.decode(bytes))
        .withMessageContaining("schema.registry.url")
        .extracting(CodecException::reason)
        .isEqualTo(CodecException.Reason.REGISTRY_REQUIRED);
  }

  @Test
  void subject_isTopicAndRecordName() {
    RecordCodec<WireRecord> rules =
        Codecs.with(registry).codec("quota.rules", QuotaRule.TYPE, PrefixInfo.TYPE);

    rules.register();

    assertThat(registry.subjects())
        .containsExactlyInAnyOrder(
            "quota.rules-io.quotaenforcer.schemas.QuotaRule",
            "quota.rules-io.quotaenforcer.schemas.PrefixInfo");
  }

  @Test
  void schema_isRegisteredOnce() {
    for (int i = 0; i < 10; i++) {
      registered.encode(new ExhaustedQuota(1L, (long) i, 0L, 0L));
    }

    assertThat(registry.requests()).isEqualTo(1);
  }

  @Test
  void recordOfAnotherClass_isRefused() {
    RecordCodec<ExhaustedQuota> exhausted =
        Codecs.withoutRegistry().codec("quota.exhausted", ExhaustedQuota.TYPE);
    byte[] other = plain.encode(new PrefixInfo(16, 1, 10, 0L));

    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> exhausted.decode(other))
        .extracting(CodecException::reason)
        .isEqualTo(CodecException.Reason.UNKNOWN_SCHEMA);
  }

  @Test
  void recordWithoutAValue_isRefusedAndTheNextIsWritten() {
    ExhaustedQuota whole = new ExhaustedQuota(1L, 2L, 0L, 0L);

    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> plain.encode(new RequestEvent(null, null, 0, 0, null, null, null)))
        .withMessageContaining("RequestEvent")
        .extracting(CodecException::reason)
        .isEqualTo(CodecException.Reason.MALFORMED);
    assertThat(plain.decode(plain.encode(whole))).isEqualTo(whole);
  }

  @Test
  void codecWithoutClasses_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Codecs.withoutRegistry().codec("topic"));
  }

  @Test
  void tombstone_staysOne() {
    assertThat(plain.serializer().serialize("topic", null)).isNull();
    assertThat(plain.deserializer().deserialize("topic", (byte[]) null)).isNull();
  }

  @Test
  void codec_usedByManyThreads_mixesNothingUp() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (Future<Boolean> same :
          threads.invokeAll(List.of(trips(7), trips(8), trips(9), trips(10)))) {
        assertThat(same.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private Callable<Boolean> trips(long seed) {
    RandomRecords records = new RandomRecords(seed);
    return () ->
        IntStream.range(0, 500)
            .mapToObj(i -> records.next())
            .allMatch(record -> registered.decode(registered.encode(record)).equals(record));
  }

  @Test
  void codecs_closed_closeTheRegistry() {
    Codecs codecs = Codecs.with(registry);

    codecs.close();

    assertThat(registry.isClosed()).isTrue();
  }
}
