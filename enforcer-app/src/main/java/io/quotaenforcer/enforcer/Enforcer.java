package io.quotaenforcer.enforcer;

import io.micrometer.core.instrument.MeterRegistry;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.activity.ActivityBoard;
import io.quotaenforcer.enforcer.clock.EnforcerClock;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.deferral.KafkaSnapshotInbox;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.rules.RuleFollower;
import io.quotaenforcer.enforcer.store.RocksMemory;
import io.quotaenforcer.enforcer.topology.BeforeCommit;
import io.quotaenforcer.enforcer.topology.CommitCountingClients;
import io.quotaenforcer.enforcer.topology.EnforcerTopology;
import io.quotaenforcer.enforcer.topology.FailedRecords;
import io.quotaenforcer.enforcer.topology.HandOver;
import io.quotaenforcer.enforcer.topology.KafkaSnapshotChannel;
import io.quotaenforcer.enforcer.topology.RuleBoard;
import io.quotaenforcer.enforcer.topology.TakenPartitions;
import io.quotaenforcer.enforcer.topology.TopologySettings;
import io.quotaenforcer.enforcer.topology.Workplace;
import io.quotaenforcer.enforcer.transaction.OwnRecords;
import io.quotaenforcer.enforcer.transaction.TransactionWatch;
import io.quotaenforcer.schemas.rules.RuleSetChange;
import io.quotaenforcer.schemas.topic.Topic;
import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.server.Health;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running enforcer: follows the rules, then runs the topology. */
public final class Enforcer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Enforcer.class);
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** A broker that does not answer in this time will not before the first report comes. */
  private static final Duration WARM_UP_TIMEOUT = Duration.ofSeconds(5);

  /** A report comes to every busy partition within this, and a transaction is committed. */
  private static final Duration HAND_OVER_TIMEOUT = Duration.ofMillis(200);

  private final Wire wire;
  private final Properties streamsProperties;
  private final Function<PrefixInfo, TopologySettings> settings;
  private final KafkaConnection kafka;
  private final EnforcerMetrics metrics;
  private final ShownRules shownRules;
  private final RuleBoard board = new RuleBoard();
  private final ActivityBoard activity = new ActivityBoard();
  private final HandOver handOver;
  private final BeforeCommit beforeCommit = new BeforeCommit();
  private final FailedRecords failed = new FailedRecords();
  private final OwnRecords records = new OwnRecords();
  private final RecentFailures failures = new RecentFailures(System::nanoTime);
  private final RuleFollower follower;
  private volatile @Nullable KafkaStreams streams;
  private volatile @Nullable TopologyDescription described;
  private volatile @Nullable KafkaSnapshotChannel channel;
  private volatile @Nullable KafkaSnapshotInbox inbox;
  private volatile @Nullable EnforcerClock clock;
  private volatile @Nullable TransactionWatch transactions;
  private volatile @Nullable KafkaGauges gauges;
  private volatile @Nullable FollowedStores stores;
  private final long commitIntervalNanos;
  private volatile boolean closed;

  /** Used only by the thread that follows the rules. */
  private @Nullable RuleSet posted;

  /**
   * @param kafka for the consumer that follows the rules, and the producer of snapshots
   * @param settings of the topology, for the facts of the prefix
   */
  public Enforcer(
      Wire wire,
      Properties streamsProperties,
      KafkaConnection kafka,
      Function<PrefixInfo, TopologySettings> settings,
      MeterRegistry registry) {
    this.wire = wire;
    this.streamsProperties = streamsProperties;
    this.settings = settings;
    this.kafka = kafka;
    this.metrics = new EnforcerMetrics(registry);
    this.shownRules = new ShownRules(metrics);
    this.handOver = new HandOver(wire.topics().usage().name());
    this.commitIntervalNanos =
        Long.parseLong(
                String.valueOf(streamsProperties.get(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG)))
            * NANOS_PER_MILLI;
    show(metrics);
    this.follower = new RuleFollower(wire, kafka.consumerProperties(), this::post);
  }

  /** Gauges that are read on each scrape. */
  private void show(EnforcerMetrics of) {
    of.state().ready(this::isReady);
    of.state()
        .tasks(() -> tasks(ThreadMetadata::activeTasks), () -> tasks(ThreadMetadata::standbyTasks));
    of.loop().uncommitted(() -> failed.uncommittedNanos() / NANOS_PER_SECOND);
    for (TakenPartitions.Phase phase : TakenPartitions.Phase.values()) {
      of.state()
          .partitions(
              phase.name().toLowerCase(Locale.ROOT), () -> handOver.taken().in(phase, now()));
    }
  }

  /** By the enforcer's clock; before there is one, nothing can wait for it. */
  private long now() {
    EnforcerClock time = clock;
    return time == null ? Long.MAX_VALUE : time.getAsLong();
  }

  /**
   * Loads the rules and starts the topology; returns before its stores are restored. Rules that
   * cannot be read while the schema registry is away are waited for.
   *
   * @throws IllegalStateException if the rules cannot be read within {@code timeout}
   */
  public void start(Duration timeout) throws InterruptedException {
    try {
      open(timeout);
    } finally {
      if (closed) {
        // What was opened since then was not closed.
        release();
      }
    }
  }

  private void open(Duration timeout) throws InterruptedException {
    follower.start();
    while (!follower.awaitLoaded(timeout)) {
      if (follower.waitsFor().isPresent() && !closed) {
        continue;
      }
      follower.unreadable().values().stream()
          .findFirst()
          .ifPresent(
              unread -> {
                throw new IllegalStateException("a rule cannot be read: " + unread);
              });
      throw new IllegalStateException(
          "cannot read the rules topic %s within %s; run: quota topics create"
              .formatted(wire.topics().rules().name(), timeout));
    }
    if (board.rules().rules().isEmpty()) {
      log.info("no rule in force: nothing is limited yet");
    }
    showBounds();
    RocksMemory.loadLibrary();
    KafkaSnapshotChannel snapshots =
        new KafkaSnapshotChannel(
            wire.topics().snapshots().name(), kafka.producerProperties(), metrics);
    channel = snapshots;
    snapshots.warmUp(WARM_UP_TIMEOUT);
    TopologySettings built = settings.apply(follower.prefix());
    KafkaSnapshotInbox replies = inbox(built);
    inbox = replies;
    clock = built.clock();
    replies.start();
    Topology topology =
        EnforcerTopology.build(
            new Workplace(wire, board, built, metrics, failed, activity),
            snapshots,
            replies,
            handOver,
            beforeCommit);
    described = topology.describe();
    KafkaStreams created =
        new KafkaStreams(
            topology,
            streamsProperties,
            new CommitCountingClients(handOver, beforeCommit, failed, records, metrics));
    created.setUncaughtExceptionHandler(
        failure -> {
          log.error("a stream thread failed; a new one takes its place", failure);
          metrics.state().threadFailed();
          failures.add(failure, FailedRecords.isOfOthers(failure));
          failed.threadFailed(failure);
          return StreamThreadExceptionResponse.REPLACE_THREAD;
        });
    stores =
        FollowedStores.begin(StoreAge.of(streamsProperties), created::cleanUp, this::isReady)
            .start();
    streams = created;
    if (closed) {
      return;
    }
    created.start();
    gauges = KafkaGauges.start(created::metrics, metrics.kafka(), names());
    transactions =
        TransactionWatch.start(
            kafka,
            String.valueOf(streamsProperties.get(StreamsConfig.APPLICATION_ID_CONFIG)),
            names(),
            records,
            this::isReady);
  }

  private Set<String> names() {
    return wire.topics().all().stream().map(Topic::name).collect(Collectors.toSet());
  }

  /** Any partition will do, but many enforcers should not share one. */
  private KafkaSnapshotInbox inbox(TopologySettings built) {
    return new KafkaSnapshotInbox(
        wire,
        ThreadLocalRandom.current().nextInt(built.partitions()),
        kafka.consumerProperties(),
        built.deferral().clocks().monotonicNanos());
  }

  private void post(RuleSet rules) {
    RuleSet before = posted;
    posted = rules;
    if (before == null || !before.rules().equals(rules.rules())) {
      log.info("{}", RuleSetChange.describe(before, rules));
    }
    board.post(rules);
    if (follower.isLoaded()) {
      showBounds();
    }
  }

  private void showBounds() {
    shownRules.show(board.rules(), follower.prefix().maxInstances(), follower.unreadable().size());
  }

  /** Whether grants are being sent. */
  public boolean isReady() {
    return health() instanceof Health.Ready;
  }

  /** Partitions at which it grants, or is about to. */
  public int partitions() {
    return handOver.taken().count();
  }

  private int tasks(Function<ThreadMetadata, Set<TaskMetadata>> kind) {
    KafkaStreams running = streams;
    return running == null
        ? 0
        : running.metadataForLocalThreads().stream()
            .mapToInt(thread -> kind.apply(thread).size())
            .sum();
  }

  /** Its health, in words for the health endpoint. */
  public Health health() {
    if (closed) {
      return new Health.Starting("ending, as it was told to: others take its partitions over");
    }
    return failures.loop().<Health>map(Health.Failed::new).orElseGet(this::pathHealth);
  }

  private Health pathHealth() {
    KafkaStreams running = streams;
    KafkaSnapshotChannel snapshots = channel;
    EnforcerClock time = clock;
    return new GrantPath(
            new GrantPath.Missing(
                follower.isLoaded() ? Optional.empty() : Optional.of(rulesMissing()),
                time == null ? Optional.empty() : handOver.taken().missing(time.getAsLong()),
                snapshots == null ? Optional.empty() : snapshots.trouble()),
            running == null
                ? Optional.empty()
                : failures
                    .many()
                    .or(failed::stuck)
                    .or(follower::trouble)
                    .or(this::inboxTrouble)
                    .or(this::hangingTransaction)
                    .or(() -> clockTrouble(time)),
            Optional.ofNullable(running).map(KafkaStreams::state),
            running == null ? -1 : heartbeatSeconds(running),
            failed.uncommittedNanos(),
            commitIntervalNanos)
        .health();
  }

  private static double heartbeatSeconds(KafkaStreams running) {
    return GrantPath.heartbeatSeconds(
        running.metrics().values(),
        running.metadataForLocalThreads().stream()
            .map(ThreadMetadata::consumerClientId)
            .collect(Collectors.toSet()));
  }

  private String rulesMissing() {
    return follower
        .waitsFor()
        .map("waiting to read the rule "::concat)
        .or(follower::trouble)
        .orElse("reading their topic");
  }

  private static Optional<String> clockTrouble(@Nullable EnforcerClock time) {
    return time == null ? Optional.empty() : time.trouble();
  }

  private Optional<String> inboxTrouble() {
    KafkaSnapshotInbox replies = inbox;
    return replies == null ? Optional.empty() : replies.trouble();
  }

  private Optional<String> hangingTransaction() {
    TransactionWatch watch = transactions;
    return watch == null ? Optional.empty() : watch.trouble();
  }

  /** What reports say lately at its partitions. */
  public ActivityBoard activity() {
    return activity;
  }

  /** The facts of the prefix; after {@link #start}. */
  public PrefixInfo prefix() {
    return follower.prefix();
  }

  /** The rules in force. */
  public RuleSet rules() {
    return board.rules();
  }

  /** The topology at run time; after {@link #start}. */
  public KafkaStreams streams() {
    return Objects.requireNonNull(streams, "not started");
  }

  /** What the topology is made of; after {@link #start}. */
  public TopologyDescription described() {
    return Objects.requireNonNull(described, "not started");
  }

  /**
   * Hands its partitions over and leaves the group at once, so that the others need not wait for a
   * timeout.
   */
  @Override
  public void close() {
    closed = true;
    log.info("ending, with {} partitions for others to take over", partitions());
    release();
    log.info("ended");
  }

  /** Closes what is open. */
  private synchronized void release() {
    TransactionWatch watch = transactions;
    if (watch != null) {
      watch.close();
    }
    KafkaGauges shown = gauges;
    if (shown != null) {
      shown.close();
    }
    FollowedStores followed = stores;
    if (followed != null) {
      followed.close();
    }
    KafkaStreams running = streams;
    if (running != null) {
      handOver.endAll(HAND_OVER_TIMEOUT);
      boolean ended =
          running.close(
              CloseOptions.timeout(CLOSE_TIMEOUT)
                  .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
      if (!ended) {
        log.warn("the topology has not ended within {} s", CLOSE_TIMEOUT.toSeconds());
      }
    }
    KafkaSnapshotChannel snapshots = channel;
    if (snapshots != null) {
      snapshots.close();
    }
    KafkaSnapshotInbox replies = inbox;
    if (replies != null) {
      replies.close();
    }
    follower.close();
  }
}
