package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.quotaenforcer.enforcer.api.ApiProblem.Kind;
import io.quotaenforcer.enforcer.http.Parameters;
import io.quotaenforcer.server.EventStream;
import io.quotaenforcer.server.JsonResponse;
import io.quotaenforcer.server.access.Caller;
import io.quotaenforcer.server.access.Role;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushes the overview to everybody who listens. It is made once a second for all of them, in the
 * name of one whose token is still valid, and not at all while nobody listens.
 */
final class OverviewEvents implements HttpService, AutoCloseable {
  /** Streams at once; connections have a bound of their own. */
  static final int MOST_STREAMS = 256;

  private static final Logger log = LoggerFactory.getLogger(OverviewEvents.class);
  private static final String OVERVIEW = "overview";
  private static final String HEALTH = "health";

  private final ApiGuard guard;
  private final Handler overview;
  private final Supplier<Optional<ApiSources>> sources;
  private final Semaphore places = new Semaphore(MOST_STREAMS);
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "quota-api-events");
            thread.setDaemon(true);
            return thread;
          });

  /** What is being asked; null between two overviews. Of the clock's thread, as is the rest. */
  private @Nullable CompletableFuture<ApiAnswer> asked;

  private Map<String, JsonNode> healths = Map.of();

  /** A stream, and who reads it. */
  private record Listener(EventStream stream, String authorization) {}

  /**
   * @param overview asks for it
   * @param every time from one overview to the next
   */
  OverviewEvents(
      ApiGuard guard, Handler overview, Supplier<Optional<ApiSources>> sources, Duration every) {
    this.guard = guard;
    this.overview = overview;
    this.sources = sources;
    clock.scheduleWithFixedDelay(
        this::tick, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    try {
      guard.checkPace(context.remoteAddress().getAddress());
    } catch (ApiProblem problem) {
      return problem.response();
    }
    EventStream stream = new EventStream(context, ToldProgress.READING);
    return HttpResponse.of(
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return begin(context, request, stream);
              } catch (ApiProblem problem) {
                return problem.response();
              } catch (IllegalArgumentException wrong) {
                return new ApiProblem(Kind.INVALID, String.valueOf(wrong.getMessage())).response();
              }
            },
            context.blockingTaskExecutor()));
  }

  private HttpResponse begin(
      ServiceRequestContext context, HttpRequest request, EventStream stream) {
    guard.caller(ApiRoutes.EVENTS, request.headers());
    Parameters.of(context, Set.of());
    if (!places.tryAcquire()) {
      throw new ApiProblem(
          Kind.TOO_MANY,
          "as many streams as may are open; ask /api/v1/overview instead, or another enforcer");
    }
    Listener listener =
        new Listener(stream, request.headers().get(HttpHeaderNames.AUTHORIZATION, ""));
    listeners.add(listener);
    // However it ends, and also if it has ended already.
    context
        .log()
        .whenComplete()
        .thenRun(
            () -> {
              listeners.remove(listener);
              places.release();
            });
    stream.beat();
    if (clock.isShutdown()) {
      stream.end();
    }
    return stream.response();
  }

  private void tick() {
    try {
      Optional<Listener> first = endThoseWhoMayNot();
      if (first.isPresent() && asked == null) {
        ask(first.get());
      }
      // Behind those that are, nothing is put: they hear of the next.
      listeners.stream()
          .map(Listener::stream)
          .filter(stream -> !stream.isBehind())
          .forEach(EventStream::beat);
    } catch (RuntimeException e) {
      log.warn("the overview could not be pushed", e);
    }
  }

  /** Ends the streams whose token is not in the file any more; returns one that goes on. */
  private Optional<Listener> endThoseWhoMayNot() {
    Map<String, Boolean> judged = new HashMap<>();
    Optional<Listener> valid = Optional.empty();
    for (Listener listener : listeners) {
      if (judged.computeIfAbsent(listener.authorization, this::mayListen)) {
        valid = Optional.of(listener);
      } else {
        listener.stream.end();
      }
    }
    return valid;
  }

  private boolean mayListen(String authorization) {
    try {
      guard.caller(ApiRoutes.EVENTS, headers(authorization));
      return true;
    } catch (ApiProblem problem) {
      return false;
    }
  }

  private void ask(Listener listener) {
    Optional<ApiSources> known = sources.get();
    if (known.isEmpty()) {
      return;
    }
    CompletableFuture<ApiAnswer> answer =
        overview.answer(
            new ApiCall(
                new Caller("events", Role.VIEWER),
                "",
                Map.of(),
                Parameters.none(),
                headers(listener.authorization),
                "",
                ApiCall.Waiting.SHORT),
            known.get(),
            clock);
    asked = answer;
    answer.whenCompleteAsync(
        (told, failure) -> {
          asked = null;
          if (failure == null) {
            push(told.body());
          }
        },
        clock);
  }

  private static RequestHeaders headers(String authorization) {
    return RequestHeaders.of(
        HttpMethod.GET, ApiRoutes.OVERVIEW.path(), HttpHeaderNames.AUTHORIZATION, authorization);
  }

  private void push(ObjectNode body) {
    String text = body.toString();
    List<String> news = news(body);
    for (Listener listener : listeners) {
      if (!listener.stream.isBehind()) {
        listener.stream.send(OVERVIEW, text);
      }
      news.forEach(each -> listener.stream.send(HEALTH, each));
    }
  }

  /** The enforcers whose health is another than in the overview before. */
  private List<String> news(ObjectNode body) {
    Map<String, JsonNode> now = new HashMap<>();
    body.path("enforcers").forEach(row -> now.put(name(row), row.path(HEALTH)));
    body.path("missing")
        .forEach(
            row ->
                now.put(
                    name(row),
                    JsonResponse.object()
                        .put("status", "silent")
                        .put("reason", row.path("why").asText())));
    List<String> changed =
        now.entrySet().stream()
            .filter(one -> healths.containsKey(one.getKey()))
            .filter(one -> !one.getValue().equals(healths.get(one.getKey())))
            .map(one -> ((ObjectNode) one.getValue()).deepCopy().put("enforcer", one.getKey()))
            .map(ObjectNode::toString)
            .toList();
    healths = now;
    return changed;
  }

  private static String name(JsonNode row) {
    return row.path("enforcer").asText();
  }

  /** Bytes that are kept for all of them. */
  long keptBytes() {
    return listeners.stream().mapToLong(one -> one.stream.keptBytes()).sum();
  }

  int streams() {
    return listeners.size();
  }

  /** Ends all streams. */
  @Override
  public void close() {
    clock.shutdownNow();
    listeners.forEach(listener -> listener.stream.end());
  }
}
