package io.quotaenforcer.client;

import io.quotaenforcer.client.kafka.DeferralWriter;
import io.quotaenforcer.client.kafka.HandOver;
import io.quotaenforcer.client.kafka.KafkaPresence;
import io.quotaenforcer.client.kafka.PendingDecisions;
import io.quotaenforcer.client.replay.ReplayGroup;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.replay.ReplaySetup;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.client.spi.ReplayHandler;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.WaitingRequest;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralInput.ReplayResult;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.schemas.topic.Identity;
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
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A client's deferred requests and replays, with the Kafka clients that they need. */
final class DeferralService {
  private final AdmissionConfig config;
  private final Clocks clocks;
  private final ClientTelemetry telemetry;
  private final PendingDecisions pending;
  private final KafkaPresence presence;
  private final DeferralWriter writer;
  private final Deferrals deferrals;
  private final ReplayQuestions questions;
  private final List<ReplayRunner> runners = new CopyOnWriteArrayList<>();

  DeferralService(
      AdmissionConfig config,
      Identity identity,
      AllotmentBook book,
      PendingDecisions pending,
      Clocks clocks,
      ClientTelemetry telemetry,
      KafkaPresence presence) {
    this.presence = presence;
    this.config = config;
    this.clocks = clocks;
    this.telemetry = telemetry;
    this.pending = pending;
    this.writer =
        new DeferralWriter(
            config.wire(),
            config.instance(),
            book::partitions,
            () ->
                new KafkaProducer<>(
                    config.deferralProperties(),
                    new ByteArraySerializer(),
                    new ByteArraySerializer()),
            presence);
    this.deferrals =
        new Deferrals(
            identity,
            book::rules,
            writer::offer,
            new Deferrals.Limits(config.deferTimeout(), config.deferMaxUnanswered()),
            clocks,
            telemetry,
            ForkJoinPool.commonPool());
    this.questions = new ReplayQuestions(identity, writer::offer, clocks);
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
    ReplayRunner runner =
        new ReplayRunner(
            new ReplaySetup(
                config.instance(),
                groups,
                group -> consumer(group, groups.size() > 1),
                config.wire(),
                this::decideOthers,
                questions,
                this::write,
                clocks,
                telemetry,
                presence::isAway,
                config.closeTimeout()),
            handler,
            options);
    runners.add(runner);
    runner.start();
    return runner;
  }

  /** Replays first: what they finish is to be written. */
  void closeReplays() {
    runners.forEach(ReplayRunner::stop);
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
    long now = clocks.monotonicNanos().getAsLong();
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
    Map<String, Object> properties = new HashMap<>(config.replayProperties());
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, group.name());
    if (isOneOfMany) {
      properties.computeIfPresent(
          CommonClientConfigs.CLIENT_ID_CONFIG, (key, id) -> id + "-" + group.name());
    }
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
