package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.internal.config.AdmissionConfig;
import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.client.internal.kafka.EventSender;
import io.quotaenforcer.client.internal.kafka.KafkaPresence;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.FixedWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Decisions that are told to telemetry, and emitted as events that wait for Kafka. */
class ToldDecisionsTest {
  private static final int CAPACITY = 1_000;
  private static final Request REQUEST = Request.of("user", "42");
  private static final RuleDecision BY =
      RuleDecision.builder(QuotaKey.parse("posts/a/42"), new FixedWindow(10, 1_000_000_000L), 1)
          .resetNanos(1)
          .retryAfterNanos(1)
          .known(true)
          .build();
  private static final Decision THROTTLED = new Decision.Throttled(BY);
  private static final Decision UNMATCHED = new Decision.Unmatched();

  private final List<RuleDecision> heard = new ArrayList<>();
  private final List<RequestEventEmitter> emitters = new ArrayList<>();
  private final ClientTelemetry telemetry =
      new ClientTelemetry() {
        @Override
        public void throttled(RuleDecision decidedBy) {
          heard.add(decidedBy);
        }
      };

  @AfterEach
  void close() {
    emitters.forEach(each -> each.close(Duration.ZERO));
  }

  private static AdmissionConfig config(Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", "127.0.0.1:9");
    all.put("request.events.capacity", CAPACITY);
    return AdmissionSettings.read(all, UnaryOperator.identity());
  }

  /** One whose events all wait: Kafka is away. */
  private RequestEventEmitter emitter(AdmissionConfig config) {
    KafkaPresence away = KafkaPresence.of(config.kafka().producerProperties());
    RequestEventEmitter made =
        new RequestEventEmitter(
            config,
            Clocks.system(),
            new EventSender.Boundary(() -> true, UnaryOperator.identity()),
            away);
    emitters.add(made);
    return made;
  }

  /** How many of some decisions were emitted; those that there is no room for are not. */
  private long emitted(Map<String, Object> settings, int decisions) {
    AdmissionConfig config = config(settings);
    RequestEventEmitter emitter = emitter(config);
    for (int i = 0; i < CAPACITY; i++) {
      assertThat(emitter.emit(REQUEST, Outcome.ADMITTED)).isTrue();
    }
    ToldDecisions told = new ToldDecisions(telemetry, false, config.events(), emitter);
    for (int i = 0; i < decisions; i++) {
      told.tell(REQUEST, i % 2 == 0 ? UNMATCHED : THROTTLED);
    }
    return emitter.dropped();
  }

  @Test
  void throttled_isToldWithItsRule_andNothingElseIs() {
    ToldDecisions told = new ToldDecisions(telemetry, true, config(Map.of()).events(), null);

    assertThat(told.tell(REQUEST, THROTTLED)).isSameAs(THROTTLED);
    assertThat(told.tell(REQUEST, UNMATCHED)).isSameAs(UNMATCHED);
    told.tell(REQUEST, new Decision.NotReady(false));
    told.emit(REQUEST, false);

    assertThat(heard).containsExactly(BY);
  }

  @Test
  void telemetryThatHearsNothing_isNotAskedForTheRule() {
    ToldDecisions told = new ToldDecisions(telemetry, false, config(Map.of()).events(), null);

    told.tell(REQUEST, THROTTLED);
    told.tell(REQUEST, CompletableFuture.completedFuture(THROTTLED), Function.identity());

    assertThat(heard).isEmpty();
  }

  @Test
  void decisionThatIsAwaited_isToldOnceItIsMade_andACancelledOneNever() {
    ToldDecisions told = new ToldDecisions(telemetry, true, config(Map.of()).events(), null);
    CompletableFuture<Decision> awaited = new CompletableFuture<>();
    CompletableFuture<Decision> cancelled = new CompletableFuture<>();
    assertThat(told.tell(REQUEST, awaited, Function.identity())).isSameAs(awaited);
    told.tell(REQUEST, cancelled, Function.identity());
    assertThat(heard).isEmpty();

    awaited.complete(THROTTLED);
    cancelled.cancel(false);

    assertThat(heard).containsExactly(BY);
  }

  @Test
  void events_all_areEmittedForEachDecision() {
    assertThat(emitted(Map.of("request.events", "all"), 40)).isEqualTo(40);
  }

  @Test
  void events_sampled_areEmittedForAboutTheirShare() {
    assertThat(emitted(sampled(0), 1_000)).isZero();
    assertThat(emitted(sampled(1), 1_000)).isEqualTo(1_000);
    // Less likely to be out of these bounds than one in a million.
    assertThat(emitted(sampled(0.25), 4_000)).isBetween(850L, 1_150L);
  }

  private static Map<String, Object> sampled(double rate) {
    return Map.of("request.events", "sampled", "request.events.sample.rate", rate);
  }
}
