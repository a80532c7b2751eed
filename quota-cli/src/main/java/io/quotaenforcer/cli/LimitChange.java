package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.enforcer.topics.TopicReader;
import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A record of {@code quota.limits-in-force}.
 *
 * @param inForce empty once the rule's limit follows the load no longer
 * @param at when it was written
 */
record LimitChange(RuleId rule, Optional<LimitInForce> inForce, Instant at) {
  /** A reader of the topic, which has the same in every partition. */
  static final class Source {
    private final PrefixTopics topics;
    private final PrintWriter err;

    /**
     * @param err is told of records that cannot be read
     */
    Source(PrefixTopics topics, PrintWriter err) {
      this.topics = topics;
      this.err = err;
    }

    private TopicPartition partition() {
      return new TopicPartition(topics.wire().topics().limitsInForce().name(), 0);
    }

    private TopicReader reader() {
      return new TopicReader(topics.brokers(), System::nanoTime);
    }

    /** Passes on what was written up to now. */
    void read(Consumer<LimitChange> sink) {
      reader().readPartition(partition(), record -> pass(record, sink));
    }

    /**
     * Passes on what was written and what will be, until the thread is interrupted.
     *
     * @param atEnd called once what was written up to now was passed on
     */
    void follow(Runnable atEnd, Consumer<LimitChange> sink) {
      reader().followPartition(partition(), atEnd, record -> pass(record, sink));
    }

    private void pass(ConsumerRecord<byte[], byte[]> record, Consumer<LimitChange> sink) {
      String key = new String(record.key(), StandardCharsets.UTF_8);
      LimitChange change;
      try {
        change = of(key, record, topics.wire());
      } catch (RuntimeException e) {
        err.println(
            Printable.line("warning: %s cannot be read: %s".formatted(key, e.getMessage())));
        return;
      }
      sink.accept(change);
    }
  }

  private static LimitChange of(String key, ConsumerRecord<byte[], byte[]> record, Wire wire) {
    return new LimitChange(
        RuleId.parse(key),
        Optional.ofNullable(record.value()).map(wire::decodeLimitInForce),
        Instant.ofEpochMilli(record.timestamp()));
  }

  static ObjectNode json(RuleId rule, LimitInForce inForce) {
    return Json.object()
        .put("rule", rule.toString())
        .put("part", inForce.part())
        .put("since", inForce.since().toString())
        .put("cause", inForce.cause().spelling())
        .put("reason", inForce.reason());
  }

  /** In one line. */
  String text() {
    return inForce
        .map(it -> "%s  %s  %s  %s".formatted(it.since(), rule, it.partText(), it.reason()))
        .orElseGet(() -> "%s  %s  its limit no longer follows the load".formatted(at, rule));
  }

  /** JSON in one line; {@code part} is null once the limit follows the load no longer. */
  String json() {
    return inForce
        .map(it -> json(rule, it))
        .orElseGet(
            () ->
                Json.object()
                    .put("rule", rule.toString())
                    .putNull("part")
                    .put("since", at.toString()))
        .toString();
  }
}
