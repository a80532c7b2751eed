package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients without Kafka: nothing listens on port 9. */
@Timeout(60)
class AdmissionClientBuilderTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String NOBODY = "127.0.0.1:9";

  private static AdmissionClientBuilder builder() {
    return AdmissionClient.builder().bootstrapServers(NOBODY).property("close.timeout", "0");
  }

  private static Set<String> threads(String instance) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains(instance) && thread.isAlive())
        .map(Thread::getName)
        .collect(Collectors.toSet());
  }

  @Test
  void instance_isTheOneThatIsSet_elseOneOfItsOwn() {
    try (AdmissionClient named = builder().instance("shop-1").build();
        AdmissionClient one = builder().build();
        AdmissionClient other = builder().build()) {
      assertThat(named.instance()).isEqualTo("shop-1");
      assertThat(one.instance()).isNotEqualTo(other.instance()).matches("[A-Za-z0-9._-]{1,100}");
    }
  }

  @Test
  void property_setTwice_hasTheLastValue_howeverItIsSet() {
    try (AdmissionClient client =
        builder()
            .instance("first")
            .properties(Map.of("instance.id", "second", "before.rules", "admit"))
            .property("before.rules", "deny")
            .build()) {
      assertThat(client.instance()).isEqualTo("second");
      assertThat(client.decide(Request.of())).isEqualTo(new Decision.NotReady(false));
    }
  }

  @Test
  void properties_unknownWrongAndMissing_areToldTogether() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                AdmissionClient.builder()
                    .property("max.wating", 1)
                    .property("max.keys", 0)
                    .property("report.interval", "1ms")
                    .build())
        .withMessageContaining("bootstrap.servers")
        .withMessageContaining("max.wating (did you mean max.waiting?)")
        .withMessageContaining("max.keys=0")
        .withMessageContaining("report.interval=1ms");
    assertThatIllegalArgumentException().isThrownBy(() -> AdmissionClient.create(Map.of()));
  }

  @Test
  void pace_belowOne_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().clocks(Clocks.system(), 0))
        .withMessage("must be >= 1: pace=0");
  }

  @Test
  void build_startsWithoutKafka_andSaysWhyItIsNotReady() throws InterruptedException {
    try (AdmissionClient client = builder().build()) {
      assertThat(client.isReady()).isFalse();
      assertThat(client.rules().rules()).isEmpty();
      assertThat(client.keys()).isZero();
      assertThat(client.waiting()).isZero();
      await()
          .atMost(SOON)
          .until(
              () ->
                  client.readiness() instanceof Readiness.NotYet not
                      && not.why().equals("Kafka cannot be reached at [127.0.0.1:9]"));
      assertThat(client.awaitRules(Duration.ofMillis(10))).isFalse();
    }
  }

  @Test
  void request_thatMayWait_isDecidedAtOnce_whileKafkaIsAway() throws InterruptedException {
    try (AdmissionClient client = builder().build()) {
      await().atMost(SOON).until(() -> client.readiness().toString().contains("cannot be reached"));

      assertThat(client.decide(Request.of(), Duration.ofDays(1)))
          .isEqualTo(new Decision.NotReady(true));
      assertThat(client.decideAsync(Request.of(), Duration.ofDays(1)))
          .isCompletedWithValue(new Decision.NotReady(true));
    }
  }

  @Test
  void close_endsEveryThread_andASecondTimeChangesNothing() {
    AdmissionClient client = builder().instance("closing-1").build();
    await().atMost(SOON).until(() -> threads("closing-1").size() >= 2);
    assertThat(threads("closing-1"))
        .contains("quota-reports-closing-1", "quota-snapshots-closing-1");

    client.close();
    client.close();

    await().atMost(SOON).until(() -> threads("closing-1").isEmpty());
  }

  @Test
  void close_beforeAnythingWasRead_isNoFailure() {
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    AdmissionClient client =
        builder()
            .telemetry(
                new ClientTelemetry() {
                  @Override
                  public void failed(String what, Exception cause) {
                    failures.add(what);
                  }
                })
            .build();
    client.close();

    assertThat(failures).isEmpty();
    assertThat(client.tryAcquire(Request.of("user", "42"))).as("no rules").isTrue();
  }

  @Test
  void deferring_withoutARule_isRefusedAtOnce() {
    try (AdmissionClient client = builder().build()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> client.defer(Request.of("user", "42"), Deferral.PLAIN))
          .withMessage("must match a rule in force with over-limit: defer: attributes=[user]");
    }
  }

  @Test
  void cancel_ofAClosedClient_fails() {
    AdmissionClient client = builder().build();
    client.close();

    assertThat(client.cancel("mail-1", QuotaKey.parse("posts/a/1")))
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(DeferralException.class)
        .withMessageContaining("the client is closed");
  }
}
