package io.quotaenforcer.enforcer.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.query.DeferredPlace;
import io.quotaenforcer.enforcer.query.DeferredQuery;
import io.quotaenforcer.enforcer.query.DeferredQuery.Where;
import io.quotaenforcer.enforcer.query.DeferredScope;
import io.quotaenforcer.enforcer.query.NotReadyException;
import io.quotaenforcer.server.HttpToken;
import io.quotaenforcer.server.JsonResponse;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers about the deferred requests in the partitions of this enforcer: {@link DeferredPaths}. An
 * answer says in {@code partitions} which ones it covers, and where the others are.
 *
 * <p>An error has a {@code category}: {@code invalid}, correct the question; {@code not-shown},
 * send a token; {@code not-ready} and {@code busy}, ask again soon.
 */
final class DeferredService implements HttpService {
  private static final int RETRY_SECONDS = 1;

  private final Function<ServiceRequestContext, ObjectNode> answer;

  /** Bounds the answers in preparation: each takes memory. */
  private final Semaphore turns;

  private DeferredService(Function<ServiceRequestContext, ObjectNode> answer, Semaphore turns) {
    this.answer = answer;
    this.turns = turns;
  }

  static DeferredService stats(DeferredQuery query, Semaphore turns) {
    return new DeferredService(
        context -> {
          Parameters given =
              parameters(
                  context,
                  DeferredPaths.RULE,
                  DeferredPaths.KEY,
                  DeferredPaths.BY_KEY,
                  DeferredPaths.LIMIT);
          Where where = new Where(scope(given), given.numbers(DeferredPaths.PARTITIONS));
          int most = limit(given);
          return given.flag(DeferredPaths.BY_KEY)
              ? DeferredJson.statsByKey(query.statsByKey(where, most))
              : DeferredJson.stats(query.statsByRule(where));
        },
        turns);
  }

  static DeferredService list(DeferredQuery query, Semaphore turns) {
    return new DeferredService(
        context -> {
          Parameters given =
              parameters(
                  context,
                  DeferredPaths.RULE,
                  DeferredPaths.KEY,
                  DeferredPaths.AFTER,
                  DeferredPaths.LIMIT);
          DeferredScope scope = scope(given);
          if (scope.isAll()) {
            throw new IllegalArgumentException("must be given: rule, or key");
          }
          Where where = new Where(scope, given.numbers(DeferredPaths.PARTITIONS));
          Optional<DeferredPlace> after = given.get(DeferredPaths.AFTER, DeferredPlace::parse);
          return DeferredJson.list(query.list(where, after, limit(given)));
        },
        turns);
  }

  static DeferredService show(DeferredQuery query, HttpToken token, Semaphore turns) {
    return new DeferredService(
        context -> {
          Parameters given = parameters(context, DeferredPaths.ID, DeferredPaths.PAYLOAD);
          if (given.flag(DeferredPaths.PAYLOAD)) {
            check(token, context.request().headers().get(HttpHeaderNames.AUTHORIZATION));
          }
          String id =
              given
                  .text(DeferredPaths.ID)
                  .orElseThrow(() -> new IllegalArgumentException("must be given: id"));
          return DeferredJson.show(
              query.show(id, given.numbers(DeferredPaths.PARTITIONS)),
              given.flag(DeferredPaths.PAYLOAD));
        },
        turns);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    if (!turns.tryAcquire()) {
      return JsonResponse.busy("as many questions about deferred requests as may are worked on");
    }
    // Reads stores.
    CompletableFuture<HttpResponse> response =
        CompletableFuture.supplyAsync(() -> respond(context), context.blockingTaskExecutor());
    response.whenComplete((answered, failure) -> turns.release());
    return HttpResponse.of(response);
  }

  private HttpResponse respond(ServiceRequestContext context) {
    try {
      return JsonResponse.of(HttpStatus.OK, answer.apply(context));
    } catch (IllegalArgumentException e) {
      return JsonResponse.of(
          HttpStatus.BAD_REQUEST, error("invalid", String.valueOf(e.getMessage())));
    } catch (NotShownException e) {
      return JsonResponse.of(
          ResponseHeaders.builder(e.status).set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer"),
          error("not-shown", String.valueOf(e.getMessage())));
    } catch (NotReadyException e) {
      return JsonResponse.of(
          ResponseHeaders.builder(HttpStatus.SERVICE_UNAVAILABLE)
              .setInt(HttpHeaderNames.RETRY_AFTER, RETRY_SECONDS),
          error("not-ready", String.valueOf(e.getMessage())));
    }
  }

  private static void check(HttpToken token, @Nullable String authorization) {
    switch (token.judge(authorization)) {
      case DISABLED ->
          throw new NotShownException(
              HttpStatus.FORBIDDEN,
              "headers and payloads are shown to nobody: set http.token.file of this enforcer, and"
                  + " send what is in it");
      case REFUSED ->
          throw new NotShownException(
              HttpStatus.UNAUTHORIZED,
              "headers and payloads are shown to those who send the token of http.token.file:"
                  + " Authorization: Bearer TOKEN");
      case ALLOWED -> {}
    }
  }

  /** Something is not shown to who asks for it. */
  private static final class NotShownException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient HttpStatus status;

    NotShownException(HttpStatus status, String message) {
      super(message);
      this.status = status;
    }
  }

  private static ObjectNode error(String category, String reason) {
    return JsonResponse.object().put("error", reason).put("category", category);
  }

  private static Parameters parameters(ServiceRequestContext context, String... names) {
    Set<String> known = new HashSet<>(Set.of(names));
    known.add(DeferredPaths.PARTITIONS);
    return Parameters.of(context, known);
  }

  private static DeferredScope scope(Parameters given) {
    Optional<DeferredScope> rule =
        given.get(DeferredPaths.RULE, text -> DeferredScope.of(RuleId.parse(text)));
    Optional<DeferredScope> key =
        given.get(DeferredPaths.KEY, text -> DeferredScope.of(QuotaKey.parse(text)));
    if (rule.isPresent() && key.isPresent()) {
      throw new IllegalArgumentException("must be given only one of: rule, key");
    }
    return rule.or(() -> key).orElse(DeferredScope.ALL);
  }

  private static int limit(Parameters given) {
    return given.number(DeferredPaths.LIMIT, DeferredPaths.DEFAULT_LIMIT, DeferredPaths.MAX_LIMIT);
  }
}
