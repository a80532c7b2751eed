package io.quotaenforcer.enforcer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.enforcer.api.ApiSources;
import io.quotaenforcer.enforcer.api.OperatorApi;
import io.quotaenforcer.enforcer.backtest.EventBacktests;
import io.quotaenforcer.enforcer.clock.ClockWatch;
import io.quotaenforcer.enforcer.clock.HostClocks;
import io.quotaenforcer.enforcer.clock.WatchedClock;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.enforcer.config.StreamsSettings;
import io.quotaenforcer.enforcer.console.Console;
import io.quotaenforcer.enforcer.http.EnforcerHttp;
import io.quotaenforcer.enforcer.http.ProbeHttp;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.metrics.JvmMetrics;
import io.quotaenforcer.enforcer.metrics.LiveFigures;
import io.quotaenforcer.enforcer.metrics.StateMetrics;
import io.quotaenforcer.enforcer.operations.KafkaOperations;
import io.quotaenforcer.enforcer.query.DeferredUsageQuery;
import io.quotaenforcer.enforcer.query.EnforcerQueries;
import io.quotaenforcer.enforcer.query.LateDeferredQuery;
import io.quotaenforcer.enforcer.query.LateEnforcersQuery;
import io.quotaenforcer.enforcer.query.LatePenaltiesQuery;
import io.quotaenforcer.enforcer.query.StoreDeferredQuery;
import io.quotaenforcer.enforcer.query.StorePenaltiesQuery;
import io.quotaenforcer.enforcer.query.StoreUsageQuery;
import io.quotaenforcer.enforcer.query.StreamsEnforcersQuery;
import io.quotaenforcer.enforcer.query.StreamsTasksQuery;
import io.quotaenforcer.enforcer.rules.RuleStore;
import io.quotaenforcer.enforcer.rules.RulesTopic;
import io.quotaenforcer.enforcer.topology.TopologySettings;
import io.quotaenforcer.enforcer.topology.WarmFirst;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.server.Health;
import io.quotaenforcer.server.HttpLimits;
import io.quotaenforcer.server.lifecycle.EndingException;
import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.net.URI;
import java.time.Duration;
import java.util.Properties;
import java.util.function.Supplier;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An enforcer as a process of its own: topology and HTTP server, closed by its lifecycle. */
public final class EnforcerProcess {
  private static final Logger log = LoggerFactory.getLogger(EnforcerProcess.class);
  private static final Duration CLOCK_PAUSE = Duration.ofMillis(20);

  /** Shorter than a request may take, whoever waits for its answer. */
  private static final Duration CHANGE_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(30);

  private final EnforcerConfig config;
  private final Supplier<PrefixInfo> check;
  private final Lifecycle lifecycle;
  private final HostClocks clocks;

  /**
   * @param check checks that an enforcer can run on the topics, and returns the prefix's facts
   */
  public EnforcerProcess(EnforcerConfig config, Supplier<PrefixInfo> check, Lifecycle lifecycle) {
    this(config, check, lifecycle, HostClocks.system());
  }

  /**
   * @param check as for the other
   * @param clocks of this host
   */
  public EnforcerProcess(
      EnforcerConfig config, Supplier<PrefixInfo> check, Lifecycle lifecycle, HostClocks clocks) {
    this.config = config;
    this.check = check;
    this.lifecycle = lifecycle;
    this.clocks = clocks;
  }

  /**
   * Starts everything, and returns while the stores may still be restored. While the schema
   * registry is away it waits.
   *
   * @return where the HTTP server listens, host:port
   */
  public String start() throws InterruptedException {
    long startNanos = System.nanoTime();
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    StateMetrics.build(registry, version());
    StateMetrics.disk(registry, config.runtime().stateDir());
    lifecycle.add("JVM metrics", JvmMetrics.in(registry));
    RegistryWait wait = new RegistryWait(length -> pause(length, "the schema registry answered"));
    DeferredHealth health = new DeferredHealth(wait::health);
    StateMetrics.health(registry, () -> health.get().word());
    ProbeHttp probes = lifecycle.add("probes", ProbeHttp.start(config.http(), registry, health));
    log.info(
        "enforcer {} starts: prefix {}, application.id {}, Kafka {}, stores in {}, probes and"
            + " metrics at port {}",
        version(),
        config.topicPrefix(),
        config.runtime().applicationId(),
        config.kafka().bootstrapServers(),
        config.runtime().stateDir(),
        probes.port());
    PrefixInfo prefix = wait.until(check);
    Codecs codecs = lifecycle.add("codecs", config.registry().codecs());
    Wire wire = Wire.of(Topics.under(config.topicPrefix(), prefix.partitions(), codecs));
    wait.until(
        () -> {
          wire.registerEnforcerSchemas();
          return wire;
        });
    WatchedClock clock = clock(wire, health, registry);
    Properties streams = StreamsSettings.of(config);
    DeferredUsageQuery query = new DeferredUsageQuery();
    LateDeferredQuery deferred = new LateDeferredQuery();
    LatePenaltiesQuery penalties = new LatePenaltiesQuery();
    LateEnforcersQuery enforcers = new LateEnforcersQuery();
    OperatorApi api =
        lifecycle.add("api", new OperatorApi(config.http().api(), clocks.monotonicNanos()));
    EnforcerHttp http =
        lifecycle.add(
            "http",
            EnforcerHttp.start(
                config.http(),
                registry,
                health,
                new EnforcerQueries(query, deferred, penalties, enforcers),
                HttpLimits.defaults(),
                builder -> {
                  api.addRoutes(builder);
                  Console.addRoutes(builder);
                }));
    streams.put(StreamsConfig.APPLICATION_SERVER_CONFIG, http.address());
    if (config.runtime().size().standbyReplicas() > 0) {
      // Without copies nobody would ever be warm.
      streams.putIfAbsent(StreamsConfig.TASK_ASSIGNOR_CLASS_CONFIG, WarmFirst.class.getName());
    }
    Enforcer enforcer =
        lifecycle.add(
            "enforcer",
            new Enforcer(
                wire,
                streams,
                config.kafka(),
                info ->
                    TopologySettings.of(
                        config.ledger(), config.runtime().commitInterval(), info, clock),
                registry));
    health.of(() -> ClockHealth.of(enforcer.health(), clock.standstill()));
    lifecycle.add("health log", new HealthLog(health, enforcer::partitions, startNanos).start());
    enforcer.start(RULES_TIMEOUT);
    HostInfo self = HostInfo.buildFromEndpoint(http.address());
    String scheme = config.http().scheme();
    StoreUsageQuery.Place place =
        new StoreUsageQuery.Place(wire.topics().usage().name(), prefix.partitions(), self, scheme);
    StoreUsageQuery usage = new StoreUsageQuery(enforcer.streams(), enforcer::rules, clock, place);
    query.answerWith(usage);
    enforcers.answerWith(
        lifecycle.add(
            "fellow log",
            new FellowLog(
                    new StreamsEnforcersQuery(enforcer.streams(), scheme), clocks.monotonicNanos())
                .start()));
    deferred.answerWith(
        new StoreDeferredQuery(
            enforcer.streams(),
            wire.topics().deferred().name(),
            prefix.partitions(),
            self,
            scheme,
            value -> (DeferredRequest) wire.decodeDeferralInput(value)));
    api.answerWith(
        new ApiSources(
            new ApiSources.Self(URI.create(scheme + "://" + http.address()), version()),
            health,
            new ApiSources.Reports(enforcer.activity(), new LiveFigures(registry)),
            new ApiSources.Queries(
                usage,
                deferred,
                enforcers,
                penalties,
                new StreamsTasksQuery(
                    enforcer.streams(), enforcer.described(), prefix.partitions())),
            new ApiSources.Rules(
                enforcer::rules,
                enforcer.prefix().maxInstances(),
                () -> publishedRules(wire),
                EventBacktests.inKafka(config.kafka(), wire)),
            new KafkaOperations(
                config.kafka(),
                CHANGE_TIMEOUT,
                wire,
                config.runtime().applicationId() + "-http-" + http.address()),
            clock));
    penalties.answerWith(
        new StorePenaltiesQuery(enforcer.streams(), place, enforcer::rules, clock));
    return http.address();
  }

  private RuleStore publishedRules(Wire wire) {
    return RulesTopic.inKafka(
        config.kafka().consumerProperties(),
        config.kafka().producerProperties(),
        wire,
        CHANGE_TIMEOUT);
  }

  /** The version of this program. */
  static String version() {
    String version = EnforcerProcess.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private void pause(Duration length, String awaited) throws InterruptedException {
    if (lifecycle.awaitStop(length)) {
      throw new EndingException("the program is ending before " + awaited, null);
    }
  }

  /** Waits until the clock agrees with the brokers'. */
  private WatchedClock clock(Wire wire, DeferredHealth health, MeterRegistry registry)
      throws InterruptedException {
    ClockWatch watch =
        ClockWatch.start(
            wire.topics().snapshots().name(),
            config.kafka().producerProperties(),
            clocks.monotonicNanos(),
            clocks.epochNanos(),
            config.ledger().maxClockSkew());
    WatchedClock clock = lifecycle.add("clock", watch).clock();
    EnforcerMetrics.clock(registry, clock::aheadSeconds);
    health.of(() -> new Health.Starting(clock.trouble().orElse("loading the rules")));
    while (clock.trouble().isPresent()) {
      pause(CLOCK_PAUSE, "this host's clock agreed with the brokers'");
    }
    clock.clientsBegin();
    return clock;
  }

  /** Health of the start, until there is an enforcer to ask. */
  private static final class DeferredHealth implements Supplier<Health> {
    private volatile Supplier<Health> source;

    DeferredHealth(Supplier<Health> start) {
      source = start;
    }

    void of(Supplier<Health> newer) {
      source = newer;
    }

    @Override
    public Health get() {
      return source.get();
    }
  }
}
