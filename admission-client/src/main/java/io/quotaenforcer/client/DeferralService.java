package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.client.internal.config.AdmissionConfig;
import io.quotaenforcer.client.internal.kafka.DeferralWriter;
import io.quotaenforcer.client.internal.kafka.HandOver;
import io.quotaenforcer.client.internal.kafka.KafkaLink;
import io.quotaenforcer.client.internal.kafka.KafkaPresence;
import io.quotaenforcer.client.internal.kafka.PendingDecisions;
import io.quotaenforcer.client.internal.replay.ReplayDesk;
import io.quotaenforcer.client.internal.replay.ReplayGroup;
import io.quotaenforcer.client.internal.replay.ReplayKafka;
import io.quotaenforcer.client.internal.replay.ReplaySetup;
import io.quotaenforcer.client.internal.replay.RunningReplays;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.spi.ReplayHandler;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.WaitingRequest;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralInput.ReplayResult;
import io.quotaenforcer.core.message.Replay;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A client's deferred requests and replays, with the Kafka clients that they need. */
final class DeferralService {
  private final AdmissionConfig config;
  private final Instance instance;
  private final PendingDecisions pending;
  private final KafkaPresence presence;
  private final DeferralWriter writer;
  private final Deferrals deferrals;
  private final ReplayQuestions questions;
  private final List<RunningReplays> runners = new CopyOnWriteArrayList<>();

  DeferralService(
      AdmissionConfig config,
      Instance instance,
      AllotmentBook book,
      PendingDecisions pending,
      KafkaPresence presence) {
    this.config = config;
    this.instance = instance;
    this.pending = pending;
    this.presence = presence;
    this.writer =
        new DeferralWriter(
            config.wire(),
            instance.id(),
            book::partitions,
            KafkaLink.producers(config.kafka().deferralProperties()),
            presence);
    this.deferrals =
        new Deferrals(
            instance,
            new Deferrals.Rules(
                book::rules, book::hashKeys, config.hashing().leaving(() -> book.rules().hashed())),
            writer::offer,
            new Deferrals.Limits(config.deferring().timeout(), config.deferring().maxUnanswered()),
            ForkJoinPool.commonPool());
    this.questions = new ReplayQuestions(instance.identity(), writer::offer, instance.clocks());
  }

  Deferrals deferrals() {
    return deferrals;
  }

  void answered(DeferralAnswer answer) {
    deferrals.answered(answer);
    questions.answered(answer);
  }

  /** Asks again what is not answered. */
  void tick(long now) {
    deferrals.tick(now);
    questions.tick(now);
  }

  ReplayRunner replays(ReplayHandler handler, ReplayOptions options) {
    List<ReplayGroup> groups = config.replayGroups(options.group());
    ReplayKafka kafka =
        new ReplayKafka(
            config.wire(), group -> consumer(group, groups.size() > 1), presence::isAway);
    ReplayDesk desk = new ReplayDesk(this::decideOthers, questions, this::write);
    RunningReplays runner =
        new RunningReplays(
            new ReplaySetup(instance, groups, kafka, desk, config.closeTimeout()),
            handler,
            options);
    runners.add(runner);
    runner.start();
    return runner;
  }

  /** Replays first: what they finish is to be written. */
  void closeReplays() {
    runners.forEach(RunningReplays::stop);
    long deadline = System.nanoTime() + config.closeTimeout().toNanos();
    runners.forEach(runner -> runner.awaitEnd(deadline));
    writer.stop();
  }

  /** Writes what is waiting, for at most so long, and ends every wait for an answer. */
  void close(Duration timeout) {
    writer.close(timeout);
    deferrals.close();
  }

  private CompletableFuture<Decision> decideOthers(Replay replay, Duration maxWait) {
    long now = instance.now();
    WaitingRequest waiting = new WaitingRequest(replay.request(), replay.paid(), now);
    return pending.decide(waiting, maxWait.toNanos(), HandOver.AT_ONCE, now);
  }

  private CompletableFuture<Void> write(ReplayResult result) {
    CommandItem item = new CommandItem(result, result.quotaKey());
    if (!writer.offer(item)) {
      item.future().completeExceptionally(new IllegalStateException("the client is closed"));
    }
    return item.future();
  }

  private Consumer<byte[], byte[]> consumer(ReplayGroup group, boolean isOneOfMany) {
    Map<String, Object> properties = new HashMap<>(config.kafka().replayProperties());
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, group.name());
    if (isOneOfMany) {
      properties.computeIfPresent(
          CommonClientConfigs.CLIENT_ID_CONFIG, (key, id) -> id + "-" + group.name());
    }
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
