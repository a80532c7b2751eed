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
import io.quotaenforcer.enforcer.http.DeferredPaths;
import io.quotaenforcer.enforcer.store.KeyQueueRow;
import io.quotaenforcer.enforcer.store.PlaceRow;
import io.quotaenforcer.enforcer.store.QueueRowKind;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lists over many partitions: all that there is, page by page, within a bound of memory. */
class ListQuestionTest {
  private static final int PARTITIONS = 16;
  private static final DeferredScope RULE = new DeferredScope("posts/per-user");

  /** Heap of a page so far, the page of one more partition, and their combination. */
  private static final long MOST_HEAP_BYTES = 6L << 20;

  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private final List<PartitionQueues> partitions = new ArrayList<>();

  @Test
  void list_ofManySmallRequestsInManyPartitions_keepsNoMoreThanOfOne() {
    fill(160_000);
    ListQuestion question = new ListQuestion(RULE, Optional.empty(), DeferredPaths.MAX_LIMIT);
    long before = usedHeap();

    Page<DeferredEntry> soFar = Page.empty();
    long most = 0;
    for (PartitionQueues partition : partitions) {
      Page<DeferredEntry> next =
          partition.list(RULE, Optional.empty(), Optional.empty(), DeferredPaths.MAX_LIMIT);
      most = Math.max(most, usedHeap() - before);
      Reference.reachabilityFence(next);
      soFar = question.add(soFar, partition);
      most = Math.max(most, usedHeap() - before);
    }

    assertThat(soFar.rows()).hasSize(DeferredPaths.MAX_LIMIT);
    assertThat(soFar.rows().stream().mapToLong(DeferredEntry::heapBytes).sum())
        .isLessThanOrEqualTo(PartitionQueues.MOST_BYTES_KEPT);
    assertThat(most).as("bytes of the heap at most").isLessThan(MOST_HEAP_BYTES);
  }

  @Test
  void list_pageByPage_hasEveryRequestOnce_inOrder() {
    fill(3_000);

    List<DeferredPlace> all = new ArrayList<>();
    Optional<DeferredPlace> after = Optional.empty();
    Page<DeferredEntry> page;
    do {
      ListQuestion question = new ListQuestion(RULE, after, 700);
      page = Page.empty();
      for (PartitionQueues partition : partitions) {
        page = question.add(page, partition);
      }
      assertThat(page.rows()).hasSizeLessThanOrEqualTo(700);
      page.rows().forEach(entry -> all.add(entry.place()));
      after = Optional.of(all.get(all.size() - 1));
    } while (page.more());

    assertThat(all).hasSize(3_000).isSorted().doesNotHaveDuplicates();
  }

  private static long usedHeap() {
    System.gc();
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private void fill(int requests) {
    List<MapStore> queues = stores();
    List<MapStore> stored = stores();
    for (int i = 0; i < PARTITIONS; i++) {
      partitions.add(
          new PartitionQueues(
              queues.get(i),
              stored.get(i),
              value -> (DeferredRequest) wire.decodeDeferralInput(value)));
    }
    for (int i = 0; i < requests; i++) {
      QuotaKey key = QuotaKey.parse("posts/per-user/u" + i);
      int partition = key.partition(PARTITIONS);
      byte[] value = wire.encode(request("id-" + i, key));
      KeyQueue queue = KeyQueue.empty(OnDelete.RELEASE, 0);
      PlaceRow place = new PlaceRow(key, Lane.NORMAL, queue.lane(Lane.NORMAL).next());
      stored.get(partition).rows.put(place.requestKey(), value);
      queues
          .get(partition)
          .rows
          .put(
              QueueRowKind.QUEUE.key(key.toString()),
              KeyQueueRow.write(queue.add(Lane.NORMAL, value.length, 1, OnDelete.RELEASE)));
    }
  }

  private static List<MapStore> stores() {
    return IntStream.range(0, PARTITIONS).mapToObj(i -> new MapStore()).toList();
  }

  private static DeferredRequest request(String id, QuotaKey key) {
    return new DeferredRequest(
        id,
        key,
        Request.of("user", key.values().get(0), "api", "POST /x"),
        Payload.EMPTY,
        Map.of(),
        Priority.NORMAL,
        0,
        1_700_000_000_000L,
        new ReplyTo("service-1", 123_456_789L, 1));
  }
}
