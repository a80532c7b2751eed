package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.enforcer.deferral.DeferralSettings;
import io.quotaenforcer.enforcer.deferral.SnapshotInbox;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.schemas.topic.Topics;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;

/**
 * The whole graph: usage reports and what the combiner makes of request events go to the ledger,
 * whose answers go to the instances through a {@link SnapshotChannel}, beside the graph; limits by
 * data go to it, too, from a topic with the same partitions, and so does what is in force of limits
 * that follow the load of a service, which one task decides. Deferred requests wait in queues,
 * which get permits of the ledger like an instance.
 */
public final class EnforcerTopology {
  static final String USAGE = "usage";
  static final String USAGE_EVENTS = "usage-events";
  static final String REQUEST_EVENTS = "request-events";
  static final String DEFERRED = "deferred";
  static final String ENTITLEMENTS = "entitlements";
  static final String ENTITLEMENT_ROWS = "entitlements-processor";
  static final String LOAD = "load";
  static final String LIMITS_IN_FORCE = "limits-in-force";
  static final String LIMIT_ROWS = "limits-in-force-processor";
  static final String ADAPT = "adapt-processor";
  static final String LEDGER = "ledger-processor";
  static final String COMBINER = "combiner-processor";
  static final String DEFERRAL = "deferral-processor";
  static final String REPLAYS_SINK = "replays-out";
  static final String REPLAY_USAGE_SINK = "usage-of-replays-out";
  static final String DEFERRAL_DEAD_LETTERS = "dead-letters-of-deferrals";
  static final String EXHAUSTED_SINK = "exhausted";
  static final String USAGE_EVENTS_SINK = "usage-events-out";
  static final String LIMITS_SINK = "limits-in-force-out";
  static final String LOAD_DEAD_LETTERS = "dead-letters-of-loads";
  static final String REPORT_DEAD_LETTERS = "dead-letters-of-reports";
  static final String EVENT_DEAD_LETTERS = "dead-letters-of-events";

  private EnforcerTopology() {}

  /**
   * Builds the topology over the topics of one prefix.
   *
   * @param channel sends the snapshots to the instances
   * @param inbox receives the snapshots for the queues of deferred requests
   * @param handOver ends turns as planned
   * @param beforeCommit told before each commit
   */
  public static Topology build(
      Workplace place,
      SnapshotChannel channel,
      SnapshotInbox inbox,
      HandOver handOver,
      BeforeCommit beforeCommit) {
    Topics topics = place.wire().topics();
    UnsureEvents unsure = new UnsureEvents(place.metrics(), place.settings().clock());
    Topology topology = new Topology();
    source(topology, USAGE, topics.usage().name());
    source(topology, USAGE_EVENTS, topics.usageEvents().name());
    source(topology, REQUEST_EVENTS, topics.requestEvents().name());
    topology
        .addReadOnlyStateStore(
            Stores.ofTopic(Stores.ENTITLEMENTS),
            ENTITLEMENTS,
            new ArrivalTime(),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer(),
            topics.entitlements().name(),
            ENTITLEMENT_ROWS,
            () -> new TopicRowsProcessor(Stores.ENTITLEMENTS))
        .addReadOnlyStateStore(
            Stores.ofTopic(Stores.LIMITS_IN_FORCE),
            LIMITS_IN_FORCE,
            new ArrivalTime(),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer(),
            topics.limitsInForce().name(),
            LIMIT_ROWS,
            () -> new TopicRowsProcessor(Stores.LIMITS_IN_FORCE))
        .addProcessor(
            LEDGER,
            () ->
                guarded(
                    new LedgerProcessor(place, channel, handOver, beforeCommit),
                    place,
                    REPORT_DEAD_LETTERS),
            USAGE,
            USAGE_EVENTS,
            ENTITLEMENT_ROWS,
            LIMIT_ROWS)
        .connectProcessorAndStateStores(LEDGER, Stores.ENTITLEMENTS, Stores.LIMITS_IN_FORCE)
        .addStateStore(Stores.ledger(), LEDGER)
        .addProcessor(
            COMBINER,
            () ->
                guarded(
                    new CombinerProcessor(place, unsure, beforeCommit), place, EVENT_DEAD_LETTERS),
            REQUEST_EVENTS)
        .addStateStore(Stores.ids(Stores.EVENT_IDS, EventIds.storedFor(place.settings())), COMBINER)
        .addStateStore(Stores.keyValue(Stores.COMBINER), COMBINER)
        .addSink(
            EXHAUSTED_SINK,
            topics.exhausted().name(),
            new ByteArraySerializer(),
            new ByteArraySerializer(),
            LEDGER)
        .addSink(
            REPORT_DEAD_LETTERS,
            topics.deadLetters().name(),
            new ByteArraySerializer(),
            new ByteArraySerializer(),
            LEDGER)
        .addSink(
            EVENT_DEAD_LETTERS,
            topics.deadLetters().name(),
            new ByteArraySerializer(),
            new ByteArraySerializer(),
            COMBINER);
    // Reports of events leave by the transaction itself, as BeforeCommit has it; this names where.
    routed(topology, USAGE_EVENTS_SINK, topics.usageEvents().name(), COMBINER);
    addAdaptation(topology, place);
    addDeferral(topology, place, channel, inbox);
    return topology;
  }

  /**
   * Beside the ledger, whose tasks have what is in force: those of a newer version are the same.
   */
  private static void addAdaptation(Topology topology, Workplace place) {
    Topics topics = place.wire().topics();
    source(topology, LOAD, topics.load().name());
    topology
        .addProcessor(
            ADAPT, () -> guarded(new AdaptProcessor(place), place, LOAD_DEAD_LETTERS), LOAD)
        .connectProcessorAndStateStores(ADAPT, Stores.LIMITS_IN_FORCE)
        .addSink(
            LOAD_DEAD_LETTERS,
            topics.deadLetters().name(),
            new ByteArraySerializer(),
            new ByteArraySerializer(),
            ADAPT);
    routed(topology, LIMITS_SINK, topics.limitsInForce().name(), ADAPT);
  }

  private static void addDeferral(
      Topology topology, Workplace place, SnapshotChannel channel, SnapshotInbox inbox) {
    Topics topics = place.wire().topics();
    DeferralSettings deferral = place.settings().deferral();
    source(topology, DEFERRED, topics.deferred().name());
    topology
        .addProcessor(
            DEFERRAL,
            () ->
                guarded(new DeferralProcessor(place, channel, inbox), place, DEFERRAL_DEAD_LETTERS),
            DEFERRED)
        .addStateStore(Stores.keyValue(Stores.DEFERRAL), DEFERRAL)
        .addStateStore(Stores.large(Stores.DEFERRED_REQUESTS, Topics.MAX_RECORD_BYTES), DEFERRAL)
        .addStateStore(Stores.ids(Stores.DEFERRED_IDS, deferral.idRetention()), DEFERRAL);
    routed(topology, REPLAYS_SINK, topics.replays().name(), DEFERRAL);
    routed(topology, REPLAY_USAGE_SINK, topics.usageEvents().name(), DEFERRAL);
    topology.addSink(
        DEFERRAL_DEAD_LETTERS,
        topics.deadLetters().name(),
        new ByteArraySerializer(),
        new ByteArraySerializer(),
        DEFERRAL);
  }

  private static GuardedProcessor guarded(
      Processor<byte[], byte[], byte[], Object> processor, Workplace place, String deadLetters) {
    return new GuardedProcessor(processor, place.failed(), place.metrics(), deadLetters);
  }

  /** Records that say themselves which partition they go to. */
  private static void routed(Topology topology, String name, String topic, String from) {
    topology.addSink(
        name, topic, new ByteArraySerializer(), Routed.SERIALIZER, Routed.PARTITIONER, from);
  }

  private static void source(Topology topology, String name, String topic) {
    topology.addSource(
        AutoOffsetReset.earliest(),
        name,
        new ArrivalTime(),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        topic);
  }
}
