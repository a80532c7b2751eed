package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.config.AdmissionConfig;
import io.quotaenforcer.client.internal.config.RequestEvents;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Tells telemetry of throttled requests, and emits decisions as request events. */
final class ToldDecisions {
  private final ClientTelemetry telemetry;
  private final boolean hearsDecisions;
  private final AdmissionConfig.Events setup;
  private final @Nullable RequestEventEmitter events;

  /**
   * @param telemetry guarded
   * @param hearsDecisions whether telemetry is more than {@link ClientTelemetry#NONE}
   * @param events null if decisions are not emitted
   */
  ToldDecisions(
      ClientTelemetry telemetry,
      boolean hearsDecisions,
      AdmissionConfig.Events setup,
      @Nullable RequestEventEmitter events) {
    this.telemetry = telemetry;
    this.hearsDecisions = hearsDecisions;
    this.setup = setup;
    this.events = events;
  }

  Decision tell(Request request, Decision decision) {
    if (hearsDecisions && decision instanceof Decision.Throttled throttled) {
      telemetry.throttled(throttled.decidedBy());
    }
    emit(request, decision.admitted());
    return decision;
  }

  /** Tells a decision once it is made. */
  <T> CompletableFuture<T> tell(
      Request request, CompletableFuture<T> future, Function<T, Decision> decision) {
    if (events != null || hearsDecisions) {
      future.thenAccept(made -> tell(request, decision.apply(made)));
    }
    return future;
  }

  void emit(Request request, boolean admitted) {
    RequestEventEmitter emitter = events;
    if (emitter == null
        || (setup.decisions() == RequestEvents.SAMPLED
            && ThreadLocalRandom.current().nextDouble() >= setup.sampleRate())) {
      return;
    }
    emitter.emit(request, admitted ? Outcome.ADMITTED : Outcome.THROTTLED, CountedBy.CLIENT);
  }
}
