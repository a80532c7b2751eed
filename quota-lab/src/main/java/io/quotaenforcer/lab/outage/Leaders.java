package io.quotaenforcer.lab.outage;

import io.quotaenforcer.lab.process.Wait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;

/** Looks again and again which broker leads a partition of the usage topic. */
final class Leaders implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(100);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final Admin admin;
  private final String topic;
  private final int partition;

  /** Broker by the epoch microseconds at which it was first seen to lead. */
  private final ConcurrentSkipListMap<Long, Integer> seen = new ConcurrentSkipListMap<>();

  private final Thread thread;
  private volatile boolean stopping;

  Leaders(String bootstrapServers, String topic, int partition) {
    this.topic = topic;
    this.partition = partition;
    // Of a broker that stands still nobody hears anything.
    this.admin =
        Admin.create(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "request.timeout.ms",
                1_000,
                "default.api.timeout.ms",
                2_000));
    this.thread = new Thread(this::watch, "leaders");
    thread.setDaemon(true);
    thread.start();
  }

  /** The id of the broker that leads now, as far as is known. */
  int leader() {
    Wait.until("a leader", Duration.ofSeconds(30), () -> !seen.isEmpty());
    return seen.lastEntry().getValue();
  }

  /** When another broker was first seen to lead after a time; {@link Long#MAX_VALUE} if none. */
  long movedMicros(long afterMicros) {
    Long moved = seen.higherKey(afterMicros);
    return moved == null ? Long.MAX_VALUE : moved;
  }

  /** Whether each broker has a copy of every partition that is as new as the leader's. */
  boolean areInSync(int brokers) throws InterruptedException, ExecutionException {
    return admin
        .describeTopics(admin.listTopics().names().get())
        .allTopicNames()
        .get()
        .values()
        .stream()
        .flatMap(each -> each.partitions().stream())
        .allMatch(each -> each.isr().size() == brokers);
  }

  private void watch() {
    while (!stopping) {
      look();
      LockSupport.parkNanos(PERIOD.toNanos());
    }
  }

  private void look() {
    try {
      for (TopicDescription each :
          admin.describeTopics(List.of(topic)).allTopicNames().get().values()) {
        Node leader = each.partitions().get(partition).leader();
        if (leader != null) {
          note(leader.id());
        }
      }
    } catch (ExecutionException e) {
      // Looked for again soon: the broker that was asked is away.
    } catch (InterruptedException e) {
      stopping = true;
    }
  }

  private void note(int leader) {
    if (seen.isEmpty() || seen.lastEntry().getValue() != leader) {
      seen.put(Stage.nowMicros(), leader);
    }
  }

  @Override
  public void close() {
    stopping = true;
    thread.interrupt();
    admin.close(CLOSE_TIMEOUT);
  }
}
