package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topic;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * Creates the missing topics of a prefix; changes existing ones only on request. Announces the
 * schemas that this program writes with.
 */
public final class TopicCreation {
  /** Unless a wish says otherwise. */
  public static final int DEFAULT_MAX_INSTANCES = 100;

  private static final short BROKER_DEFAULT = -1;
  private static final long POLL_NANOS = 20_000_000L;

  private final Brokers brokers;
  private final String prefix;
  private final Codecs codecs;
  private final LongSupplier epochMillis;
  private final LongSupplier monotonicNanos;

  public TopicCreation(
      Brokers brokers,
      String prefix,
      Codecs codecs,
      LongSupplier epochMillis,
      LongSupplier monotonicNanos) {
    this.brokers = brokers;
    this.prefix = prefix;
    this.codecs = codecs;
    this.epochMillis = epochMillis;
    this.monotonicNanos = monotonicNanos;
  }

  /**
   * The requested properties; unspecified ones keep the prefix's value, or have the default.
   *
   * @param partitions of the topics partitioned by quota key; default 16
   * @param replicationFactor defaults to the brokers' own
   * @param maxInstances divisor of shared openings and local shares; default 100
   */
  public record Wish(
      OptionalInt partitions, OptionalInt replicationFactor, OptionalInt maxInstances) {
    public static Wish defaults() {
      return new Wish(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
    }
  }

  /** Outcome for a topic, or for the prefix. */
  public sealed interface Result {
    /**
     * Everything exists.
     *
     * @param created topics that were missing
     * @param kept topics that existed
     * @param differences settings of those that are less than new topics have
     * @param warnings risks
     */
    record Done(
        PrefixInfo prefix,
        List<Topic<?, ?>> created,
        List<Topic<?, ?>> kept,
        List<TopicDifference> differences,
        List<String> warnings)
        implements Result {}

    /** Nothing was changed, since existing topics contradict the request. */
    record Refused(List<String> reasons) implements Result {}
  }

  /**
   * Creates the missing topics.
   *
   * @param dryRun changes nothing, and answers as if it had
   * @throws BrokersException when the brokers do not answer, or refuse
   */
  public Result run(Wish wish, boolean dryRun) {
    Topics names = Topics.under(prefix, Topics.DEFAULT_PARTITIONS, codecs);
    Map<String, TopicState> states = states(names.all());
    PrefixRecord record =
        new PrefixRecord(brokers, Wire.of(names), brokers.changeTimeout(), monotonicNanos);
    PrefixRecord.Content content =
        states.containsKey(names.rules().name()) ? record.read() : PrefixRecord.Content.NONE;
    Optional<PrefixInfo> fixed = content.prefix();
    PrefixInfo info = fixed.orElseGet(() -> fresh(wish));
    Topics topics = Topics.under(prefix, info.partitions(), codecs);

    List<String> reasons = new ArrayList<>(mismatches(wish, info));
    List<Topic<?, ?>> missing = new ArrayList<>();
    List<Topic<?, ?>> kept = new ArrayList<>();
    List<TopicDifference> differences = new ArrayList<>();
    for (Topic<?, ?> topic : topics.all()) {
      TopicState state = states.get(topic.name());
      if (state == null) {
        missing.add(topic);
      } else {
        kept.add(topic);
        TopicCheck.differences(topics, topic, state, reasons);
        differences.addAll(TopicDifference.of(topic, state));
      }
    }
    if (!reasons.isEmpty()) {
      return new Result.Refused(reasons);
    }
    create(missing, wish.replicationFactor(), dryRun);
    if (fixed.isEmpty() && !dryRun) {
      Optional<PrefixInfo> other = record.read().prefix();
      if (other.isPresent() && !other.get().equals(info)) {
        return new Result.Refused(
            List.of("prefix " + prefix + " was created meanwhile, differently: " + other.get()));
      }
      if (other.isEmpty()) {
        record.write(info, epochMillis.getAsLong());
      }
    }
    if (!dryRun) {
      record.announce(content.announced());
    }
    Map<String, TopicState> after = dryRun ? states : awaitAll(topics.all());
    return new Result.Done(info, missing, kept, differences, TopicCheck.risks(after));
  }

  /**
   * Raises settings that are too small to those of new topics.
   *
   * @throws BrokersException when the brokers do not answer, or refuse
   */
  public void raise(List<TopicDifference> differences) {
    Map<ConfigResource, Collection<AlterConfigOp>> changes = new LinkedHashMap<>();
    for (TopicDifference difference : differences) {
      ConfigEntry entry = new ConfigEntry(difference.setting(), difference.wanted());
      changes
          .computeIfAbsent(
              new ConfigResource(ConfigResource.Type.TOPIC, difference.topic()),
              resource -> new ArrayList<>())
          .add(new AlterConfigOp(entry, AlterConfigOp.OpType.SET));
    }
    brokers
        .admin()
        .incrementalAlterConfigs(changes)
        .values()
        .forEach((topic, answer) -> brokers.get("alter topic " + topic.name(), answer));
  }

  /** A broker may learn of a topic later than the broker that created it. */
  private Map<String, TopicState> awaitAll(List<Topic<?, ?>> topics) {
    long deadline = monotonicNanos.getAsLong() + brokers.changeTimeout().toNanos();
    while (true) {
      Map<String, TopicState> states = TopicState.of(brokers, topics);
      if (states.size() == topics.size() || monotonicNanos.getAsLong() - deadline > 0) {
        return states;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static PrefixInfo fresh(Wish wish) {
    return new PrefixInfo(
        wish.partitions().orElse(Topics.DEFAULT_PARTITIONS),
        QuotaKey.HASH_VERSION,
        wish.maxInstances().orElse(DEFAULT_MAX_INSTANCES));
  }

  private List<String> mismatches(Wish wish, PrefixInfo info) {
    List<String> reasons = new ArrayList<>();
    mismatch("partitions", wish.partitions(), info.partitions(), reasons);
    mismatch("max-instances", wish.maxInstances(), info.maxInstances(), reasons);
    return reasons;
  }

  private void mismatch(String what, OptionalInt asked, int fixed, List<String> reasons) {
    if (asked.isPresent() && asked.getAsInt() != fixed) {
      reasons.add(
          "prefix %s has %s %d for good, not %d: use another prefix, or leave --%s out"
              .formatted(prefix, what, fixed, asked.getAsInt(), what));
    }
  }

  private void create(List<Topic<?, ?>> missing, OptionalInt replicationFactor, boolean dryRun) {
    short factor =
        replicationFactor.isPresent() ? (short) replicationFactor.getAsInt() : BROKER_DEFAULT;
    answers(missing, factor, dryRun).forEach(this::await);
    if (!dryRun) {
      awaitLeaders(creations(missing, factor));
    }
  }

  private void awaitLeaders(List<NewTopic> created) {
    String what = "find the leaders of the new topics";
    try {
      NewPartitions.awaitLeaders(brokers.admin(), created, brokers.changeTimeout(), monotonicNanos);
    } catch (ExecutionException e) {
      throw brokers.failed(what, e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw brokers.failed(what, e);
    }
  }

  private Map<String, KafkaFuture<Void>> answers(
      List<Topic<?, ?>> topics, short replicationFactor, boolean dryRun) {
    return brokers
        .admin()
        .createTopics(
            creations(topics, replicationFactor),
            new CreateTopicsOptions()
                .validateOnly(dryRun)
                .timeoutMs(Math.toIntExact(brokers.changeTimeout().toMillis())))
        .values();
  }

  private static List<NewTopic> creations(List<Topic<?, ?>> topics, short replicationFactor) {
    return topics.stream().map(topic -> topic.creation(replicationFactor)).toList();
  }

  /**
   * The existing topics. A broker may learn of one later than the controller, which knows for
   * certain whether the name exists.
   */
  private Map<String, TopicState> states(List<Topic<?, ?>> topics) {
    Map<String, TopicState> states = TopicState.of(brokers, topics);
    List<Topic<?, ?>> unseen =
        topics.stream().filter(topic -> !states.containsKey(topic.name())).toList();
    Map<String, KafkaFuture<Void>> answers =
        unseen.isEmpty() ? Map.of() : answers(unseen, BROKER_DEFAULT, true);
    List<Topic<?, ?>> there =
        unseen.stream()
            .filter(topic -> exists(Objects.requireNonNull(answers.get(topic.name()))))
            .toList();
    if (!there.isEmpty()) {
      states.putAll(awaitAll(there));
    }
    return states;
  }

  private static boolean exists(KafkaFuture<Void> creation) {
    try {
      creation.get();
      return false;
    } catch (ExecutionException e) {
      return e.getCause() instanceof TopicExistsException;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void await(String topic, KafkaFuture<Void> answer) {
    try {
      answer.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof TopicExistsException) {
        return;
      }
      String hint =
          cause instanceof InvalidReplicationFactorException
              ? " (it takes as many brokers; try --replication-factor 1 where there is one)"
              : "";
      throw brokers.failed("create topic " + topic + hint, cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw brokers.failed("create topic " + topic, e);
    }
  }
}
