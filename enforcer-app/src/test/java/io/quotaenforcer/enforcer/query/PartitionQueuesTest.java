package io.quotaenforcer.enforcer.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.deferral.KeyQueue;
import io.quotaenforcer.core.deferral.Lane;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.enforcer.store.DeferredId;
import io.quotaenforcer.enforcer.store.KeyQueueRow;
import io.quotaenforcer.enforcer.store.PlaceRow;
import io.quotaenforcer.enforcer.store.QueueRowKind;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PartitionQueuesTest {
  private static final QuotaKey ANN = QuotaKey.parse("posts/per-user/ann");
  private static final QuotaKey BOB = QuotaKey.parse("posts/per-user/bob");
  private static final QuotaKey OTHER = QuotaKey.parse("posts/per-user-2/ann");
  private static final QuotaKey WHOLE = QuotaKey.parse("posts/whole");
  private static final DeferredScope RULE = new DeferredScope("posts/per-user");

  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private final MapStore queues = new MapStore();
  private final MapStore requests = new MapStore();
  private final PartitionQueues partition =
      new PartitionQueues(
          queues, requests, value -> (DeferredRequest) wire.decodeDeferralInput(value));

  @Test
  void stats_ofAllQueues_areSummedUpByRule() {
    defer("a", ANN, Lane.HIGH, 30);
    defer("b", ANN, Lane.NORMAL, 20);
    defer("c", BOB, Lane.NORMAL, 10);
    defer("d", OTHER, Lane.LOW, 40);
    defer("e", WHOLE, Lane.LOW, 50);

    List<QueueStats> all =
        partition.statsByRule(DeferredScope.ALL).stream().sorted(QueueStats.MOST_FIRST).toList();

    assertThat(all)
        .extracting(stats -> stats.name() + " " + stats.keys() + " " + stats.waiting())
        .containsExactly(
            "posts/per-user 2 [0, 1, 2, 0]",
            "posts/per-user-2 1 [0, 0, 0, 1]",
            "posts/whole 1 [0, 0, 0, 1]");
    assertThat(all.get(0).oldestMillis()).isEqualTo(10);
    assertThat(all.get(0).bytes()).isPositive();
  }

  @Test
  void stats_ofAScope_leaveOthersOut() {
    defer("a", ANN, Lane.HIGH, 30);
    defer("b", BOB, Lane.NORMAL, 20);
    defer("c", BOB, Lane.NORMAL, 20);
    defer("d", OTHER, Lane.LOW, 40);
    defer("e", WHOLE, Lane.LOW, 50);

    assertThat(partition.statsByRule(RULE)).extracting(QueueStats::total).containsExactly(3L);
    assertThat(partition.statsByRule(DeferredScope.of(ANN)))
        .extracting(QueueStats::name)
        .containsExactly("posts/per-user/ann");
    assertThat(partition.statsByRule(DeferredScope.of(WHOLE.rule())))
        .extracting(QueueStats::total)
        .containsExactly(1L);
    assertThat(partition.statsByRule(new DeferredScope("posts/none"))).isEmpty();
    Page<QueueStats> most = partition.statsByKey(RULE, 1);
    assertThat(most.rows()).extracting(QueueStats::name).containsExactly("posts/per-user/bob");
    assertThat(most.more()).isTrue();
  }

  @Test
  void list_isInOrderOfRelease_pageByPage() {
    defer("b1", BOB, Lane.NORMAL, 1);
    defer("a-low", ANN, Lane.LOW, 1);
    defer("a1", ANN, Lane.NORMAL, 1);
    defer("a2", ANN, Lane.NORMAL, 1);
    defer("a-first", ANN, Lane.EXPEDITED, 1);
    defer("other", OTHER, Lane.HIGH, 1);

    Page<DeferredEntry> first = list(RULE, Optional.empty(), 3);
    DeferredPlace end = first.rows().get(2).place();
    Page<DeferredEntry> second = list(RULE, Optional.of(end), 3);

    assertThat(ids(first)).containsExactly("a-first", "a1", "a2");
    assertThat(first.more()).isTrue();
    assertThat(ids(second)).containsExactly("a-low", "b1");
    assertThat(second.more()).isFalse();
    assertThat(ids(list(DeferredScope.of(BOB), Optional.empty(), 3))).containsExactly("b1");
    assertThat(ids(list(DeferredScope.ALL, Optional.empty(), 10))).hasSize(6);
    assertThat(first.rows()).extracting(DeferredEntry::place).isSorted();
  }

  @Test
  void request_thatIsReleased_isShownAsSuch() {
    defer("a", ANN, Lane.NORMAL, 1);
    defer("b", ANN, Lane.NORMAL, 2);
    KeyQueue queue = queue(ANN);
    write(ANN, queue.release(queue.lane(Lane.NORMAL).first(), 10, 1));

    assertThat(list(RULE, Optional.empty(), 10).rows())
        .extracting(DeferredEntry::released)
        .containsExactly(true, false);
    assertThat(partition.show("a", 10).get(0).released()).isTrue();
    assertThat(partition.show("b", 10).get(0).request().id()).isEqualTo("b");
    assertThat(partition.show("c", 10)).isEmpty();
    assertThat(partition.statsByRule(RULE).get(0).unacknowledged()).isEqualTo(1);
  }

  @Test
  void pages_ofSeveralPartitions_leaveOutWhatFollowsTheEndOfOneThatHasMore() {
    Page<Integer> cut = new Page<>(List.of(1, 5), true);
    Page<Integer> whole = new Page<>(List.of(2, 7), false);

    assertThat(Page.merge(List.of(cut, whole), Integer::compare, 10))
        .isEqualTo(new Page<>(List.of(1, 2, 5), true));
    assertThat(Page.merge(List.of(cut, whole), Integer::compare, 2))
        .isEqualTo(new Page<>(List.of(1, 2), true));
    assertThat(Page.merge(List.of(whole, whole), Integer::compare, 4))
        .isEqualTo(new Page<>(List.of(2, 2, 7, 7), false));
    assertThat(Page.merge(List.<Page<Integer>>of(), Integer::compare, 4).more()).isFalse();
  }

  @Test
  void place_isReadBackFromItsText() {
    DeferredPlace place = new DeferredPlace(QuotaKey.parse("posts/p/a%3Ab"), Lane.LOW, 17);

    assertThat(DeferredPlace.parse(place.toString())).isEqualTo(place);
  }

  @Test
  void scope_ofAKey_isInOnePartition() {
    assertThat(DeferredScope.of(ANN).partitions(16)).containsExactly(ANN.partition(16));
    assertThat(RULE.partitions(4))
        .containsExactly(IntStream.range(0, 4).boxed().toArray(Integer[]::new));
  }

  @Test
  void list_ofLargeRequests_keepsNeitherPayloadsNorAttributes() {
    String attribute = "x".repeat(400_000);
    for (int i = 0; i < 60; i++) {
      defer("r" + i, ANN, Lane.NORMAL, i, Request.of("user", attribute), 1_000_000);
    }

    Page<DeferredEntry> page = list(RULE, Optional.empty(), 1_000);

    assertThat(page.rows()).hasSizeBetween(40, 55);
    assertThat(page.more()).isTrue();
    assertThat(page.rows())
        .allMatch(entry -> entry.request().payload().size() == 0)
        .allMatch(entry -> entry.request().request().attributes().isEmpty())
        .allMatch(entry -> entry.payloadBytes() == 1_000_000);
    assertThat(partition.show("r0", 10).get(0).request().payload().size()).isEqualTo(1_000_000);
  }

  @Test
  void list_ofLongKeys_endsWhereItsPageIsFull() {
    for (int i = 0; i < 200; i++) {
      defer("r" + i, QuotaKey.of(ANN.rule(), longValues(i)), Lane.NORMAL, i);
    }

    Page<DeferredEntry> page = list(RULE, Optional.empty(), 1_000);
    Page<QueueStats> stats = partition.statsByKey(RULE, 1_000);

    assertThat(page.more()).isTrue();
    assertThat(page.rows().size()).isBetween(40, 60);
    assertThat(stats.more()).isTrue();
    assertThat(stats.rows().size()).isBetween(90, 110);
  }

  private static List<String> longValues(int number) {
    return Stream.concat(Stream.of("u" + number), Stream.generate(() -> "x".repeat(200)).limit(31))
        .toList();
  }

  private Page<DeferredEntry> list(DeferredScope scope, Optional<DeferredPlace> after, int most) {
    return partition.list(scope, after, Optional.empty(), most);
  }

  private void defer(String id, QuotaKey key, Lane lane, long deferredMillis) {
    defer(id, key, lane, deferredMillis, Request.of("user", "ann"), 0);
  }

  private void defer(
      String id, QuotaKey key, Lane lane, long deferredMillis, Request request, int payloadBytes) {
    byte[] value =
        wire.encode(
            new DeferredRequest(
                id,
                key,
                request,
                Payload.of(new byte[payloadBytes]),
                Map.of(),
                Priority.NORMAL,
                0,
                deferredMillis,
                ReplyTo.NOBODY));
    KeyQueue queue = queue(key);
    PlaceRow place = new PlaceRow(key, lane, queue.lane(lane).next());
    requests.rows.put(place.requestKey(), value);
    queues.rows.put(
        QueueRowKind.PLACE.key(new DeferredId(place.quotaKey(), id).text()), place.write());
    write(key, queue.add(lane, value.length, deferredMillis, OnDelete.RELEASE));
  }

  private KeyQueue queue(QuotaKey key) {
    byte[] row = queues.get(QueueRowKind.QUEUE.key(key.toString()));
    return row == null ? KeyQueue.empty(OnDelete.RELEASE, 0) : KeyQueueRow.read(row);
  }

  private void write(QuotaKey key, KeyQueue queue) {
    queues.rows.put(QueueRowKind.QUEUE.key(key.toString()), KeyQueueRow.write(queue));
  }

  private static List<String> ids(Page<DeferredEntry> page) {
    return page.rows().stream().map(entry -> entry.request().id()).toList();
  }
}
