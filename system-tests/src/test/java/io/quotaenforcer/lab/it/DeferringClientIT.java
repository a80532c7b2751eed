package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.client.DeferralTimeoutException;
import io.quotaenforcer.client.Deferred;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.spi.ReplayHandler;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.Inquiry;
import io.quotaenforcer.core.message.DeferralInput.ReplayResult;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records of deferred requests that admission clients write and read; the enforcer's part is
 * played.
 */
@Timeout(270)
class DeferringClientIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int PARTITIONS = 4;
  private static final int KEYS = 20;
  private static final int REPLAYS = 400;
  private static final RuleId RULE = new RuleId("posts", "per-user");
  private static final QuotaKey KEY = QuotaKey.of(RULE, List.of("ann"));
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 1, per: 1h}
          over-limit: defer
      """;

  @TempDir Path folder;

  private final Wire wire = Wire.of("quota.", Codecs.from(Map.of()));
  @AutoClose private final Opened open = new Opened();
  private final ConcurrentLinkedQueue<Replay> handled = new ConcurrentLinkedQueue<>();
  private String servers;
  private TopicTap tap;

  @BeforeEach
  void startBroker() throws Exception {
    servers = PreparedBroker.start(open, PARTITIONS, folder, RULES).bootstrapServers();
    GroupOffsets.begin(servers, "quota.replays-posts", PARTITIONS);
    tap = new TopicTap(servers);
    open.add(tap);
  }

  @Test
  void deferredRequest_ofTheLargestPayload_isDurableInThePartitionOfItsKey_andAnswered()
      throws Exception {
    AdmissionClient client = client("30s");
    CompletableFuture<Deferred> deferred =
        client.defer(
            Request.of("user", "ann"), Deferral.of(new byte[Payload.MAX_BYTES]).withId("order-1"));
    await().atMost(TIMEOUT).until(() -> inputs().stream().anyMatch(Inquiry.class::isInstance));
    DeferredRequest written = (DeferredRequest) inputs().get(0);
    assertThat(written.quotaKey()).isEqualTo(KEY);
    assertThat(written.payload().size()).isEqualTo(Payload.MAX_BYTES);
    assertThat(tap.read("quota.deferred"))
        .allMatch(record -> record.partition() == KEY.partition(PARTITIONS));
    assertThat(deferred).isNotDone();

    DeferralInput.ReplyTo to = written.replyTo();
    DeferralAnswer answer =
        new DeferralAnswer(
            to.instance(),
            to.epoch(),
            "order-1",
            KEY.toString(),
            DeferralAnswer.Verdict.ACCEPTED,
            "",
            0,
            3);
    tap.write(
        "quota.snapshots",
        to.partition(),
        Identity.snapshotKey(to.instance(), to.epoch()),
        wire.encode(answer));

    assertThat(deferred)
        .succeedsWithin(TIMEOUT)
        .isEqualTo(new Deferred.Accepted("order-1", KEY, 3));
  }

  @Test
  void deferredRequest_withoutAnswer_failsWithItsId() throws Exception {
    AdmissionClient client = client("2s");

    assertThat(client.defer(Request.of("user", "ann"), Deferral.PLAIN.withId("order-1")))
        .failsWithin(TIMEOUT)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(DeferralTimeoutException.class)
        .withMessageContaining("order-1");
  }

  @Test
  void replays_whileMembersComeAndGo_areHandledInOrderAndCommitted() throws Exception {
    writeReplays();
    Semaphore turns = new Semaphore(REPLAYS / 4);
    ReplayHandler handler =
        replay -> {
          turns.acquire();
          handled.add(replay);
          return ReplayOutcome.done();
        };
    AdmissionClient first = client("30s");
    first.replays(handler, ReplayOptions.DEFAULTS);
    await().atMost(TIMEOUT).until(() -> handled.size() >= REPLAYS / 4);
    AdmissionClient second = client("30s");
    ReplayRunner other = second.replays(handler, ReplayOptions.DEFAULTS);
    turns.release(REPLAYS / 4);
    await().atMost(TIMEOUT).until(() -> handled.size() >= REPLAYS / 2);
    turns.release(8 * REPLAYS);
    first.close();
    await().atMost(TIMEOUT).until(() -> finished().size() == REPLAYS);
    await().atMost(TIMEOUT).until(() -> other.unfinished() == 0);
    second.close();

    for (int key = 0; key < KEYS; key++) {
      assertThat(firstHandlings("u" + key)).isEqualTo(released(key));
    }
    handled.clear();
    writeReplay(REPLAYS, "u0");
    client("30s").replays(handler, ReplayOptions.DEFAULTS);
    await().atMost(TIMEOUT).until(() -> finished().contains("id-" + REPLAYS));
    assertThat(handled).extracting(Replay::id).containsExactly("id-" + REPLAYS);
  }

  @Test
  void slowReplay_holdsUpItsKeyOnly_andIsFinishedBeforeTheClientIsClosed() throws Exception {
    writeReplay(0, "slow");
    writeReplay(1, "slow");
    writeReplay(2, "quick");
    CountDownLatch slow = new CountDownLatch(1);
    AdmissionClient client = client("30s");
    ReplayRunner runner =
        client.replays(
            replay -> {
              handled.add(replay);
              if (replay.id().equals("id-0")) {
                slow.await();
              }
              return ReplayOutcome.done();
            },
            ReplayOptions.DEFAULTS);
    await().atMost(TIMEOUT).until(() -> finished().contains("id-2"));
    assertThat(handled).extracting(Replay::id).containsExactlyInAnyOrder("id-0", "id-2");

    CompletableFuture<Void> closed = CompletableFuture.runAsync(client::close);
    await().atMost(TIMEOUT).until(() -> runner.unfinished() == 1);
    assertThat(closed).isNotDone();
    slow.countDown();

    assertThat(closed).succeedsWithin(TIMEOUT);
    assertThat(finished()).containsExactlyInAnyOrder("id-0", "id-2");
    assertThat(handled).hasSize(2);
  }

  private AdmissionClient client(String deferTimeout) throws InterruptedException {
    AdmissionClient client =
        AdmissionClient.builder()
            .bootstrapServers(servers)
            .domains("posts")
            .property("defer.timeout", deferTimeout)
            .build();
    open.add(client);
    assertThat(client.awaitRules(TIMEOUT)).isTrue();
    return client;
  }

  private void writeReplays() throws Exception {
    for (int i = 0; i < REPLAYS; i++) {
      writeReplay(i, "u" + i % KEYS);
    }
  }

  private void writeReplay(int number, String user) throws Exception {
    QuotaKey key = QuotaKey.of(RULE, List.of(user));
    Replay replay =
        new Replay(
            "id-" + number,
            key,
            Request.of("user", user),
            Payload.of(new byte[100]),
            Map.of(),
            Priority.NORMAL,
            1,
            0,
            List.of(key),
            1,
            0,
            number / KEYS + 1,
            number + 1);
    tap.write(
        "quota.replays",
        key.partition(PARTITIONS),
        key.toString().getBytes(StandardCharsets.UTF_8),
        wire.encode(replay));
  }

  private static List<String> released(int key) {
    List<String> ids = new ArrayList<>();
    for (int i = key; i < REPLAYS; i += KEYS) {
      ids.add("id-" + i);
    }
    return ids;
  }

  private List<String> firstHandlings(String user) {
    Map<String, Set<String>> ids = new HashMap<>();
    for (Replay replay : handled) {
      ids.computeIfAbsent(replay.quotaKey().values().get(0), u -> new LinkedHashSet<>())
          .add(replay.id());
    }
    return List.copyOf(ids.getOrDefault(user, Set.of()));
  }

  private Set<String> finished() {
    Set<String> ids = new LinkedHashSet<>();
    for (DeferralInput input : inputs()) {
      if (input instanceof ReplayResult result && result.done()) {
        ids.add(result.id());
      }
    }
    return ids;
  }

  private List<DeferralInput> inputs() {
    List<DeferralInput> inputs = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : tap.read("quota.deferred")) {
      inputs.add(wire.decodeDeferralInput(record.value()));
    }
    return inputs;
  }
}
