package io.quotaenforcer.enforcer.deadletters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.enforcer.deadletters.RedrivePlan.Step;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class RedriveTest {
  private static final int PARTITIONS = 4;
  private static final String TOPIC = "quota.dead-letters";
  private static final QuotaKey KEY = QuotaKey.parse("posts/per-user/ann");
  private static final LetterFilter ALL =
      new LetterFilter(Optional.empty(), Optional.empty(), Optional.empty(), Set.of());

  private final Wire wire = Wire.of(Topics.under("quota.", PARTITIONS, Codecs.withoutRegistry()));
  private final List<ConsumerRecord<byte[], byte[]>> topic = new ArrayList<>();

  @Test
  void letters_ofAllKinds_areListed() {
    deferred("a", "cancelled: by hand");
    put("quota.usage", "instance", new byte[] {1, 2}, "unreadable usage report: x");
    put("quota.deferred", "key", new byte[] {1, 2, 3}, "deferral refused: x");
    record(new RecordHeaders(), null, null);

    List<DeadLetter> letters = list(ALL, 10).newest();

    assertThat(letters)
        .extracting(
            it ->
                "%s %s %s %d"
                    .formatted(
                        it.aside().place(),
                        it.origin().topic(),
                        it.origin().id(),
                        Math.min(it.content().bytes(), 4)))
        .containsExactly(
            "0-0 quota.deferred a 4",
            "0-1 quota.usage instance 2",
            "0-2 quota.deferred key 3",
            "0-3   0");
    assertThat(letters.get(0).origin().quotaKey()).contains(KEY);
    assertThat(letters.get(2).origin().quotaKey()).isEmpty();
  }

  @Test
  void letters_sayWhenTheirRecordsWereWritten() {
    Headers dated = headers("quota.usage", "unreadable");
    dated.add("timestamp", bytes("1700000000000"));
    record(dated, bytes("a"), new byte[] {1});
    Headers hostile = headers("quota.usage", "unreadable");
    hostile.add("timestamp", bytes("99999999999999999999"));
    record(hostile, bytes("b"), new byte[] {1});
    deferred("c", "cancelled: by hand");

    assertThat(list(ALL, 10).newest())
        .extracting(letter -> letter.origin().millis())
        .containsExactly(
            Optional.of(1_700_000_000_000L),
            Optional.empty(),
            Optional.of(request("c").deferredMillis()));
  }

  @Test
  void filter_wantsAllThatIsGiven() {
    deferred("a", "cancelled: by hand");
    deferred("b", "purged: by hand");
    put("quota.usage", "instance", new byte[] {1}, "unreadable usage report: x");

    assertThat(
            ids(new LetterFilter(Optional.of("quota.usage"), none(), Optional.empty(), Set.of())))
        .containsExactly("instance");
    assertThat(ids(new LetterFilter(none(), Optional.of("purged"), Optional.empty(), Set.of())))
        .containsExactly("b");
    assertThat(ids(new LetterFilter(none(), none(), Optional.of(KEY.rule()), Set.of())))
        .containsExactly("a", "b");
    assertThat(ids(new LetterFilter(none(), none(), Optional.of(new RuleId("a", "b")), Set.of())))
        .isEmpty();
    assertThat(ids(new LetterFilter(none(), Optional.of("hand"), Optional.empty(), Set.of("0-1"))))
        .containsExactly("b");
    assertThat(ids(new LetterFilter(none(), none(), Optional.empty(), Set.of("a"))))
        .containsExactly("a");
    assertThat(list(ALL, 1).newest())
        .extracting(letter -> letter.origin().id())
        .containsExactly("instance");
    assertThat(list(ALL, 1).found()).isEqualTo(3);
  }

  @Test
  void deferredRequest_goesToItsQuotaKey_withoutADeadline() {
    deferred("a", "deadline passed: it waited until 5");

    List<ProducerRecord<byte[], byte[]>> written = redrive(false);

    ProducerRecord<byte[], byte[]> again = written.get(0);
    assertThat(again.topic()).isEqualTo("quota.deferred");
    assertThat(again.partition()).isEqualTo(KEY.partition(PARTITIONS));
    assertThat(again.key()).isEqualTo(bytes(KEY.toString()));
    assertThat(header(again, "redriven-from")).isEqualTo("0-0");
    DeferralInput input = wire.decodeDeferralInput(again.value());
    assertThat(input).isEqualTo(request("a").again());
    assertThat(((DeferredRequest) input).deadlineMillis()).isZero();
    assertThat(written).hasSize(2);
    assertThat(header(written.get(1), "redriven")).isEqualTo("0-0");
  }

  @Test
  void otherLetter_goesBackAsItWas() {
    put("quota.usage", "instance", new byte[] {1, 2}, "unreadable usage report: x");
    Headers hostile = headers("quota.usage", "unreadable");
    hostile.add("partition", bytes("999"));
    record(hostile, bytes("b"), new byte[] {3});

    List<ProducerRecord<byte[], byte[]>> written = redrive(false);

    assertThat(written.get(0).topic()).isEqualTo("quota.usage");
    assertThat(written.get(0).partition()).isEqualTo(3);
    assertThat(written.get(0).key()).isEqualTo(bytes("instance"));
    assertThat(written.get(0).value()).isEqualTo(new byte[] {1, 2});
    assertThat(written.get(2).partition()).isNull();
  }

  @Test
  void lettersOfOneId_ofTwoQuotaKeys_areBothRedriven() {
    QuotaKey other = QuotaKey.of(KEY.rule(), List.of("somebody-else"));
    deferred("a", "cancelled: one");
    put("quota.deferred", other.toString(), wire.encode(request("a", other)), "cancelled: two");

    assertThat(plan(false).steps().values()).containsExactly(Step.WRITE, Step.WRITE);
  }

  @Test
  void letter_isRedrivenOnce() {
    deferred("a", "cancelled: one");
    deferred("a", "cancelled: two");
    deferred("b", "cancelled: by hand");

    List<ProducerRecord<byte[], byte[]>> written = redrive(false);
    assertThat(written).filteredOn(it -> it.topic().equals("quota.deferred")).hasSize(2);
    assertThat(plan(false).steps().values()).containsExactly(Step.OLDER, Step.WRITE, Step.WRITE);
    written.stream().filter(it -> it.topic().equals(TOPIC)).forEach(this::append);

    assertThat(plan(false).steps().values()).containsOnly(Step.BEFORE);
    assertThat(redrive(false)).isEmpty();
    assertThat(plan(true).steps().values()).containsExactly(Step.OLDER, Step.WRITE, Step.WRITE);
    assertThat(list(ALL, 10).newest()).hasSize(3);
    assertThat(list(ALL, 10).redrivenMillis(list(ALL, 10).newest().get(0))).isPresent();

    deferred("a", "cancelled: three");
    assertThat(plan(false).count(Step.WRITE)).isEqualTo(1);
  }

  @Test
  void mark_ofALetterThatIsNotKept_isNotKept() {
    deferred("a", "cancelled: one");
    deferred("b", "cancelled: two");
    redrive(false).stream().filter(it -> it.topic().equals(TOPIC)).forEach(this::append);

    Letters all = list(ALL, 10);
    Letters newest = list(ALL, 1);

    assertThat(newest.newest()).containsExactly(all.newest().get(1));
    assertThat(newest.redrivenMillis(all.newest().get(1))).isPresent();
    assertThat(newest.redrivenMillis(all.newest().get(0))).isEmpty();
    assertThat(newest.isWhole()).isFalse();
    assertThat(all.isWhole()).isTrue();
  }

  @Test
  void lettersToPlan_haveNoLongTexts_andAreNoMoreThanOneRunTakes() {
    put("quota.usage", "instance", new byte[] {1}, "unreadable: " + "x".repeat(5_000));
    Letters letters = Letters.toPlan(wire, ALL);

    letters.accept(topic.get(0));
    assertThat(letters.newest().get(0).aside().reason()).hasSize(1_001);
    assertThat(letters.isWhole()).isTrue();

    for (int i = 0; i < Letters.MOST_PLANNED; i++) {
      letters.accept(at(1 + i, headers("quota.usage", "unreadable"), null, null));
    }
    assertThat(letters.found()).isEqualTo(Letters.MOST_PLANNED + 1);
    assertThat(letters.newest()).hasSize(Letters.MOST_PLANNED);
    assertThat(letters.isWhole()).isFalse();
  }

  @Test
  void lettersWithLongTexts_takeNoMoreMemoryThanTheyMay() {
    Letters letters = new Letters(wire, ALL, Integer.MAX_VALUE);
    byte[] key = new byte[1 << 20];

    for (int i = 0; i < 100; i++) {
      letters.accept(at(i, headers("quota.usage", "unreadable"), key, null));
    }

    assertThat(letters.newest()).hasSizeBetween(20, 40);
    assertThat(letters.newest().get(letters.newest().size() - 1).aside().place()).isEqualTo("0-99");
  }

  @Test
  void largeLetters_goInTransactionsOfAFewMegabytes_andThoseWrittenAreKnown() {
    for (int i = 0; i < 10; i++) {
      put("quota.usage", "instance", new byte[1 << 20], "unreadable");
    }
    List<Integer> transactions = new ArrayList<>();
    Redrive redrive =
        new Redrive(
            plan(false),
            wire,
            PARTITIONS,
            records -> {
              if (transactions.size() == 2) {
                throw new IllegalStateException("Kafka is away");
              }
              transactions.add(records.size());
            });

    assertThatIllegalStateException()
        .isThrownBy(
            () -> {
              topic.forEach(redrive);
              redrive.flush();
            });

    assertThat(transactions).as("records and their marks").containsExactly(8, 8);
    assertThat(redrive.redriven()).isEqualTo(8);
  }

  @Test
  void letter_thatNobodyReadsAgain_isLeft() {
    put("quota.rules", "a", new byte[] {1}, "no reason");
    record(headers("", "lost its topic"), null, new byte[] {1});

    assertThat(plan(false).steps().values()).containsOnly(Step.FOREIGN);
    assertThat(redrive(false)).isEmpty();
  }

  @Test
  void letter_thatLooksLikeAMark_isALetter() {
    Headers headers = headers("quota.usage", "unreadable usage report: null");
    headers.add("redriven", bytes("0-0"));
    record(headers, null, null);

    assertThat(list(ALL, 10).newest()).hasSize(1);
  }

  private List<ProducerRecord<byte[], byte[]>> redrive(boolean again) {
    List<ProducerRecord<byte[], byte[]>> written = new ArrayList<>();
    Redrive redrive = new Redrive(plan(again), wire, PARTITIONS, written::addAll);
    topic.forEach(redrive);
    redrive.flush();
    return written;
  }

  private RedrivePlan plan(boolean again) {
    return RedrivePlan.of(
        list(ALL, Integer.MAX_VALUE),
        wire.topics().deferred().name(),
        Redrive.takingBack(wire.topics()),
        again);
  }

  private Letters list(LetterFilter filter, int most) {
    Letters letters = new Letters(wire, filter, most);
    topic.forEach(letters);
    return letters;
  }

  private List<String> ids(LetterFilter filter) {
    return list(filter, 10).newest().stream().map(letter -> letter.origin().id()).toList();
  }

  private void deferred(String id, String reason) {
    put("quota.deferred", KEY.toString(), wire.encode(request(id)), reason);
  }

  private void put(String origin, String key, byte[] value, String reason) {
    Headers headers = headers(origin, reason);
    headers.add("partition", bytes("3"));
    record(headers, bytes(key), value);
  }

  private void append(ProducerRecord<byte[], byte[]> record) {
    record(record.headers(), record.key(), record.value());
  }

  private void record(Headers headers, byte[] key, byte[] value) {
    topic.add(at(topic.size(), headers, key, value));
  }

  private static ConsumerRecord<byte[], byte[]> at(
      long offset, Headers headers, byte[] key, byte[] value) {
    return new ConsumerRecord<>(
        TOPIC,
        0,
        offset,
        1_000,
        TimestampType.CREATE_TIME,
        0,
        0,
        key,
        value,
        headers,
        Optional.empty());
  }

  private static Headers headers(String origin, String reason) {
    Headers headers = new RecordHeaders();
    headers.add("topic", bytes(origin));
    headers.add("reason", bytes(reason));
    return headers;
  }

  private static String header(ProducerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private static DeferredRequest request(String id) {
    return request(id, KEY);
  }

  private static DeferredRequest request(String id, QuotaKey key) {
    return new DeferredRequest(
        id,
        key,
        Request.of("user", "ann"),
        Payload.of(bytes(id)),
        Map.of("a", "b"),
        Priority.HIGH,
        5,
        1,
        new ReplyTo("service", 7, 0));
  }

  private static Optional<String> none() {
    return Optional.empty();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
