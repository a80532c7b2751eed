package io.quotaenforcer.enforcer.api;

import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerListener;
import io.quotaenforcer.enforcer.config.ApiConfig;
import io.quotaenforcer.server.JsonResponse;
import io.quotaenforcer.server.access.AccessTokens;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The HTTP API for operators: its routes, and what answers them. */
public final class OperatorApi implements AutoCloseable {
  private static final String SETTING = "http.api.tokens.file";

  /** Requests in progress, each of which may keep an answer of some hundred kilobytes. */
  private static final int MOST_AT_ONCE = 16;

  private static final Duration PUSHED_EVERY = Duration.ofSeconds(1);

  private final ApiGuard guard;
  private final Fleet fleet;
  private final Map<ApiRoute, Handler> handlers;
  private final OverviewEvents events;
  private volatile @Nullable ApiSources sources;

  /**
   * @param nanos a monotonic clock
   * @throws io.quotaenforcer.server.HttpException if the file of tokens is wrong
   */
  public OperatorApi(ApiConfig config, LongSupplier nanos) {
    guard =
        new ApiGuard(
            AccessTokens.of(config.tokens(), SETTING),
            new CallerPace(config.requestsPerSecond(), nanos));
    fleet = new Fleet(config.certificate());
    handlers = handlers(fleet);
    events =
        new OverviewEvents(
            guard,
            Handler.everywhere(fleet, OverviewAnswers::here, OverviewAnswers::merge),
            () -> Optional.ofNullable(sources),
            PUSHED_EVERY);
  }

  private static Map<ApiRoute, Handler> handlers(Fleet fleet) {
    RuleChanges changes = new RuleChanges();
    Map<ApiRoute, Handler> all = new HashMap<>(reading(fleet, changes));
    all.putAll(OperatorChanges.handlers(fleet, changes));
    return Map.copyOf(all);
  }

  private static Map<ApiRoute, Handler> reading(Fleet fleet, RuleChanges changes) {
    return Map.ofEntries(
        Map.entry(
            ApiRoutes.OVERVIEW,
            Handler.everywhere(fleet, OverviewAnswers::here, OverviewAnswers::merge)),
        Map.entry(ApiRoutes.TOP, Handler.everywhere(fleet, KeyAnswers::top, KeyAnswers::mergeTop)),
        Map.entry(
            ApiRoutes.SEARCH,
            Handler.everywhere(fleet, KeyAnswers::search, KeyAnswers::mergeSearch)),
        Map.entry(ApiRoutes.SHOW, new ShownKey(fleet)),
        Map.entry(
            ApiRoutes.INSTANCES,
            Handler.everywhere(fleet, InstanceAnswers::here, InstanceAnswers::merge)),
        Map.entry(
            ApiRoutes.TOPOLOGY,
            Handler.everywhere(fleet, TopologyAnswers::here, TopologyAnswers::merge)),
        Map.entry(ApiRoutes.RULES, Handler.here(RuleAnswers::list)),
        Map.entry(ApiRoutes.RULE_SHOWN, Handler.here(RuleAnswers::show)),
        Map.entry(
            ApiRoutes.DEFERRED,
            Handler.everywhere(fleet, DeferredAnswers::byRule, DeferredAnswers::mergeRules)),
        Map.entry(
            ApiRoutes.DEFERRED_REQUESTS,
            Handler.everywhere(fleet, DeferredAnswers::requests, DeferredAnswers::mergeRequests)),
        Map.entry(ApiRoutes.WHOAMI, Handler.here((call, told) -> whoami(call))),
        Map.entry(ApiRoutes.RULE_HISTORY, Handler.here(changes::history)),
        Map.entry(ApiRoutes.VALIDATE, Handler.here(RuleAnswers::validate)),
        Map.entry(ApiRoutes.BACKTEST, new BacktestAnswers()),
        Map.entry(
            ApiRoutes.OPENAPI, Handler.here((call, told) -> ApiAnswer.of(OpenApi.document()))));
  }

  private static ApiAnswer whoami(ApiCall call) {
    return ApiAnswer.of(
        JsonResponse.object()
            .put("name", call.caller().name())
            .put("role", call.caller().role().word()));
  }

  /** Adds all routes to a server. */
  public void addRoutes(ServerBuilder builder) {
    ApiService.Turns turns = ApiService.Turns.of(MOST_AT_ONCE);
    // Before the server waits for the ends of its answers.
    builder.serverListener(ServerListener.builder().whenStopping(server -> events.close()).build());
    builder.route().get(ApiRoutes.EVENTS.path()).build(events);
    for (ApiRoute route : ApiRoutes.ALL) {
      if (route.reply() == ApiRoute.Reply.EVENTS) {
        continue;
      }
      Handler handler = handlers.get(route);
      if (handler == null) {
        throw new IllegalStateException("must have a handler: " + route.path());
      }
      var bound =
          builder
              .route()
              .methods(route.method())
              // Else a colon would begin the name of a parameter.
              .path(route.path().contains("{") ? route.path() : "exact:" + route.path());
      route.body().ifPresent(body -> bound.maxRequestLength(body.mostBytes()));
      bound.build(new ApiService(route, handler, guard, turns, () -> Optional.ofNullable(sources)));
    }
  }

  /** The streams that are open, for tests of their bounds. */
  OverviewEvents events() {
    return events;
  }

  /** Begins to answer; until then the enforcer is starting. */
  public void answerWith(ApiSources known) {
    sources = known;
  }

  @Override
  public void close() {
    events.close();
    fleet.close();
  }
}
