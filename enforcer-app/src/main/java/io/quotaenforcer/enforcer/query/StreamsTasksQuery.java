package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.enforcer.store.Stores;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.LagInfo;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.TopologyDescription.Node;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Source;
import org.apache.kafka.streams.TopologyDescription.Subtopology;
import org.apache.kafka.streams.errors.StreamsException;

/** The tasks of Kafka Streams in this process. */
public final class StreamsTasksQuery implements TasksQuery {
  private static final String SUFFIX = "-processor";

  private final KafkaStreams streams;
  private final List<Part> parts;
  private final Map<Integer, Set<String>> stores = new HashMap<>();

  /** Each look at copies asks the brokers. */
  private final Semaphore lagTurn = new Semaphore(1);

  /**
   * @param partitions of all its input topics
   */
  public StreamsTasksQuery(KafkaStreams streams, TopologyDescription described, int partitions) {
    this.streams = streams;
    List<Part> found = new ArrayList<>();
    for (Subtopology part : described.subtopologies()) {
      Set<String> kept = new TreeSet<>();
      Set<String> reads = new TreeSet<>();
      String name = "";
      for (Node node : part.nodes()) {
        if (node instanceof Source source) {
          reads.addAll(source.topicSet());
        } else if (node instanceof Processor processor) {
          kept.addAll(processor.stores());
          name = nameOf(processor, name);
        }
      }
      stores.put(part.id(), kept);
      found.add(
          new Part(part.id(), name, List.copyOf(reads), partitions, kept.contains(Stores.LEDGER)));
    }
    found.sort(Comparator.comparingInt(Part::number));
    parts = List.copyOf(found);
  }

  /** A sub-topology is named after the store of its main processor. */
  private static String nameOf(Processor processor, String before) {
    String own = processor.name().replace(SUFFIX, "");
    boolean isMain =
        processor.stores().contains(own)
            && Set.of(Stores.LEDGER, Stores.COMBINER, Stores.DEFERRAL).contains(own);
    return isMain ? own : before;
  }

  @Override
  public List<Part> parts() {
    return parts;
  }

  @Override
  public List<Task> tasks() {
    try {
      Map<String, Map<Integer, LagInfo>> lags = lags();
      List<Task> tasks = new ArrayList<>();
      for (ThreadMetadata thread : streams.metadataForLocalThreads()) {
        thread.activeTasks().forEach(task -> tasks.add(task(task, true, behind(task))));
        thread.standbyTasks().forEach(task -> tasks.add(task(task, false, behind(task, lags))));
      }
      return tasks;
    } catch (IllegalStateException e) {
      throw new NotReadyException("the enforcer starts or stops: " + streams.state());
    }
  }

  private static Task task(TaskMetadata task, boolean isActive, OptionalLong lag) {
    return new Task(task.taskId().subtopology(), task.taskId().partition(), isActive, lag);
  }

  /** Empty while another asks. */
  private Map<String, Map<Integer, LagInfo>> lags() {
    if (!lagTurn.tryAcquire()) {
      return Map.of();
    }
    try {
      return streams.allLocalStorePartitionLags();
    } catch (StreamsException e) {
      return Map.of();
    } finally {
      lagTurn.release();
    }
  }

  private static OptionalLong behind(TaskMetadata task) {
    long sum = 0;
    boolean known = false;
    for (Map.Entry<TopicPartition, Long> end : task.endOffsets().entrySet()) {
      long committed = task.committedOffsets().getOrDefault(end.getKey(), -1L);
      if (end.getValue() >= 0 && committed >= 0) {
        sum += Math.max(0, end.getValue() - committed);
        known = true;
      }
    }
    return known ? OptionalLong.of(sum) : OptionalLong.empty();
  }

  private OptionalLong behind(TaskMetadata copy, Map<String, Map<Integer, LagInfo>> lags) {
    long sum = 0;
    boolean known = false;
    for (String store : stores.getOrDefault(copy.taskId().subtopology(), Set.of())) {
      LagInfo lag = lags.getOrDefault(store, Map.of()).get(copy.taskId().partition());
      if (lag != null) {
        sum += lag.offsetLag();
        known = true;
      }
    }
    return known ? OptionalLong.of(sum) : OptionalLong.empty();
  }
}
