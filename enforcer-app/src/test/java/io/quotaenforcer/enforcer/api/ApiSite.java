package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.SelfSigned;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.activity.ActivityBoard;
import io.quotaenforcer.enforcer.backtest.PastEvents;
import io.quotaenforcer.enforcer.config.ApiConfig;
import io.quotaenforcer.enforcer.config.HttpConfig;
import io.quotaenforcer.enforcer.http.EnforcerHttp;
import io.quotaenforcer.enforcer.http.OneDeferred;
import io.quotaenforcer.enforcer.metrics.LiveFigures;
import io.quotaenforcer.enforcer.query.EnforcerQueries;
import io.quotaenforcer.enforcer.query.EnforcersQuery;
import io.quotaenforcer.enforcer.query.KeyFacts;
import io.quotaenforcer.enforcer.query.KeyQuery;
import io.quotaenforcer.enforcer.query.LateEnforcersQuery;
import io.quotaenforcer.enforcer.query.LatePenaltiesQuery;
import io.quotaenforcer.enforcer.query.Page;
import io.quotaenforcer.enforcer.query.TasksQuery;
import io.quotaenforcer.enforcer.query.UsageAnswer;
import io.quotaenforcer.enforcer.rules.MemoryRuleStore;
import io.quotaenforcer.server.Health;
import io.quotaenforcer.server.HttpLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** The API of one enforcer on a real port, with sources that a test fills. */
final class ApiSite implements AutoCloseable {
  static final String VIEWER = "a-token-of-a-viewer";
  static final String OPERATOR = "a-token-of-an-operator";
  static final long NOW = 1_800_000_000_000_000_000L;
  static final int PARTITIONS = 4;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  final ActivityBoard activity = new ActivityBoard();
  final MemoryRuleStore store = MemoryRuleStore.asOnTheWire();
  final MemoryOperations operations = new MemoryOperations();
  final AtomicBoolean isDeferred = new AtomicBoolean(true);
  final Keys keys = new Keys();
  final List<URI> enforcers = new ArrayList<>();
  final List<EnforcersQuery.Gone> gone = new ArrayList<>();
  final Tasks tasks = new Tasks();
  final PastEvents events = new PastEvents();
  volatile Health health = new Health.Ready();
  volatile RuleSet rules = RuleSet.empty();

  private final HttpClient client;
  private final HttpConfig config;
  private final OperatorApi api;
  private final EnforcerHttp http;

  /** Enforcers that there are, and were. */
  private final EnforcersQuery fellows =
      new EnforcersQuery() {
        @Override
        public List<URI> enforcers() {
          return enforcers;
        }

        @Override
        public List<Gone> gone() {
          return gone;
        }
      };

  /** Quota keys of this enforcer's partitions. */
  static final class Keys implements KeyQuery {
    final TreeMap<String, KeyFacts> known = new TreeMap<>();
    final List<Integer> partitions = new ArrayList<>();
    volatile UsageAnswer usage = new UsageAnswer.NotFound("nothing was counted");
    volatile Optional<Copy> copy = Optional.empty();

    @Override
    public UsageAnswer usage(QuotaKey key) {
      return usage;
    }

    @Override
    public Optional<Copy> copyOf(QuotaKey key) {
      return copy;
    }

    @Override
    public Found search(String prefix, String after, int most) {
      List<KeyFacts> found =
          known.values().stream()
              .filter(key -> key.quotaKey().startsWith(prefix))
              .filter(key -> key.quotaKey().compareTo(after) > 0)
              .toList();
      return new Found(
          new Page<>(found.stream().limit(most).toList(), found.size() > most),
          partitions,
          PARTITIONS);
    }
  }

  /** Tasks of this enforcer. */
  static final class Tasks implements TasksQuery {
    final List<Task> here = new ArrayList<>();

    @Override
    public List<Part> parts() {
      return List.of(
          new Part(0, "ledger", List.of("quota.usage"), PARTITIONS, true),
          new Part(1, "combiner", List.of("quota.request-events"), PARTITIONS, false));
    }

    @Override
    public List<Task> tasks() {
      return here;
    }
  }

  ApiSite(Path folder) throws IOException {
    this(folder, 10_000, HttpLimits.defaults());
  }

  ApiSite(Path folder, int requestsPerSecond, HttpLimits limits) throws IOException {
    this(config(folder, requestsPerSecond), limits, HttpClient.newHttpClient());
  }

  /** Over TLS. */
  static ApiSite secure(Path folder, SelfSigned tls) throws Exception {
    ApiConfig plain = config(folder, 10_000);
    return new ApiSite(
        new ApiConfig(
            plain.tokens(),
            plain.requestsPerSecond(),
            Optional.of(tls.certificate()),
            Optional.of(tls.key())),
        HttpLimits.defaults(),
        HttpClient.newBuilder().sslContext(tls.trusted()).build());
  }

  private static ApiConfig config(Path folder, int requestsPerSecond) throws IOException {
    Path tokens = Files.writeString(folder.resolve("tokens"), tokens());
    return new ApiConfig(
        Optional.of(tokens), requestsPerSecond, Optional.empty(), Optional.empty());
  }

  private ApiSite(ApiConfig config, HttpLimits limits, HttpClient client) {
    this.client = client;
    this.config = new HttpConfig("127.0.0.1", 0, Optional.empty(), 0, Optional.empty(), config);
    api = new OperatorApi(config, System::nanoTime);
    http =
        EnforcerHttp.start(
            this.config,
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            () -> health,
            new EnforcerQueries(
                (rule, attributes) -> new UsageAnswer.NotFound("none"),
                new OneDeferred(),
                new LatePenaltiesQuery(),
                new LateEnforcersQuery()),
            limits,
            api::addRoutes);
    enforcers.add(address());
  }

  static String tokens() {
    return "# who may ask\nvic viewer %s\nolga operator %s\n"
        .formatted(sha256(VIEWER), sha256(OPERATOR));
  }

  static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  ApiSite ready() {
    api.answerWith(
        new ApiSources(
            new ApiSources.Self(address(), "1.2.3"),
            () -> health,
            new ApiSources.Reports(activity, new LiveFigures(new SimpleMeterRegistry())),
            new ApiSources.Queries(
                keys, new OneDeferred(isDeferred::get), fellows, new LatePenaltiesQuery(), tasks),
            new ApiSources.Rules(() -> rules, 10, () -> store, events.backtests()),
            operations,
            () -> NOW));
    return this;
  }

  /** Streams of events that are open. */
  OverviewEvents streams() {
    return api.events();
  }

  int port() {
    return http.port();
  }

  URI address() {
    return URI.create(config.scheme() + "://" + http.address());
  }

  /** A request with a token, to be changed. */
  HttpRequest.Builder request(String path, String token) {
    return HttpRequest.newBuilder(URI.create(address() + "/api/v1" + path))
        .timeout(Duration.ofSeconds(10))
        .header("Authorization", "Bearer " + token);
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path) throws Exception {
    return send(request(path, VIEWER));
  }

  /** The answer of a route, with every field that the route promises and no other. */
  JsonNode answer(ApiRoute route, String path) throws Exception {
    HttpResponse<String> response = get(path);
    if (response.statusCode() != 200) {
      throw new AssertionError(response.statusCode() + " " + response.body());
    }
    return checked(route, response);
  }

  static JsonNode checked(ApiRoute route, HttpResponse<String> response) throws IOException {
    JsonNode body = MAPPER.readTree(response.body());
    List<String> known = route.answer().stream().map(ApiField::name).toList();
    body.fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                throw new AssertionError("not described: " + name + " of " + route.path());
              }
            });
    for (ApiField field : route.answer()) {
      JsonNode value = body.path(field.name());
      boolean isRight =
          switch (field.type()) {
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            default -> value.isNumber();
          };
      if (!isRight && (field.required() || !value.isMissingNode())) {
        throw new AssertionError(
            "must be a %s: %s of %s".formatted(field.type(), field.name(), route.path()));
      }
    }
    return body;
  }

  @Override
  public void close() {
    http.close();
    api.close();
  }
}
