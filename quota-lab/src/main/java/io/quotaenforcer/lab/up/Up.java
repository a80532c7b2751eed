package io.quotaenforcer.lab.up;

import io.quotaenforcer.enforcer.EnforcerRun;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.enforcer.rules.RuleStore;
import io.quotaenforcer.enforcer.rules.RulesTopic;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.TopicCreation;
import io.quotaenforcer.enforcer.topics.TopicCreation.Result;
import io.quotaenforcer.enforcer.topics.TopicCreation.Wish;
import io.quotaenforcer.enforcer.transaction.LeftTransactions;
import io.quotaenforcer.gateway.Gateway;
import io.quotaenforcer.gateway.GatewayConfig;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topic;
import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Starts a broker, an enforcer and a gateway, one after the other, until a signal ends them. */
public final class Up {
  private static final int PARTITIONS = 2;
  private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(30);
  private static final Duration KAFKA_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration READY_TIMEOUT = Duration.ofSeconds(90);

  private final UpOptions options;
  private final PrintWriter out;

  public Up(UpOptions options, PrintWriter out) {
    this.options = options;
    this.out = out;
  }

  /**
   * Runs until a signal ends it.
   *
   * @throws UpException if a part of it cannot be started
   */
  public void run() throws InterruptedException {
    UpText text = new UpText(out, options, System.nanoTime());
    options.rules().ifPresent(FirstRules::valid);
    LocalPort.checkFree(options.ports().all());
    try (Lifecycle lifecycle = Lifecycle.start(CLOSE_DEADLINE)) {
      LocalBroker broker =
          LocalBroker.open(lifecycle, options.brokerFolder(), options.ports().broker());
      text.broker(broker.bootstrapServers());
      ConsoleToken token = ConsoleToken.in(options.data());
      EnforcerConfig config = config(broker.bootstrapServers(), token);
      FirstRules.InForce rules = prepare(config);
      String enforcer =
          new EnforcerRun(config, KAFKA_TIMEOUT, out, new PrintWriter(Writer.nullWriter()))
              .start(lifecycle);
      Readiness.await(lifecycle, "the enforcer", enforcer, READY_TIMEOUT);
      text.enforcer(enforcer);
      Gateway gateway = Gateway.start(gateway(broker.bootstrapServers()), lifecycle);
      Readiness.await(lifecycle, "the gateway", local(gateway.probePort()), READY_TIMEOUT);
      text.gateway(local(gateway.port()), local(gateway.grpcPort()));
      text.rules(rules);
      text.ready(token);
      broker.awaitStop();
      text.ending();
    }
  }

  private FirstRules.InForce prepare(EnforcerConfig config) throws InterruptedException {
    try (Codecs codecs = Codecs.withoutRegistry();
        Brokers brokers = Brokers.connect(config.kafka(), KAFKA_TIMEOUT)) {
      createTopics(
          new TopicCreation(
              brokers, options.topicPrefix(), codecs, System::currentTimeMillis, System::nanoTime));
      Wire wire = Wire.of(options.topicPrefix(), codecs);
      LeftTransactions.end(
          brokers,
          config.runtime().applicationId(),
          wire.topics().all().stream().map(Topic::name).collect(Collectors.toSet()));
      try (RuleStore store =
          RulesTopic.inKafka(
              config.kafka().consumerProperties(),
              config.kafka().producerProperties(),
              wire,
              KAFKA_TIMEOUT)) {
        return FirstRules.publish(store, options.rulesFile(), options.rules().isPresent());
      }
    }
  }

  private static void createTopics(TopicCreation creation) {
    Wish few = new Wish(OptionalInt.of(PARTITIONS), OptionalInt.empty(), OptionalInt.empty());
    if (creation.run(few, false) instanceof Result.Refused
        // Another number of partitions, which stays.
        && creation.run(Wish.defaults(), false) instanceof Result.Refused refused) {
      throw new UpException(String.join("\n", refused.reasons()));
    }
  }

  private EnforcerConfig config(String bootstrapServers, ConsoleToken token) {
    Path state = options.stateFolder().toAbsolutePath();
    return EnforcerConfig.of(
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "topic.prefix",
            options.topicPrefix(),
            "state.dir",
            state,
            "num.stream.threads",
            1,
            "num.standby.replicas",
            0,
            "http.port",
            options.ports().enforcer().number(),
            "http.probe.port",
            0,
            "http.api.tokens.file",
            token.known().toAbsolutePath()));
  }

  /** Its decisions are request events, too, so that back-tests have something to go by. */
  private GatewayConfig gateway(String bootstrapServers) {
    return GatewayConfig.of(
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "topic.prefix",
            options.topicPrefix(),
            "request.events",
            "all",
            "max.wait",
            "5s",
            "service",
            "gateway",
            "http.port",
            options.ports().gateway().number(),
            "http.probe.port",
            0,
            "grpc.port",
            options.ports().grpc().number()));
  }

  private static String local(int port) {
    return "127.0.0.1:" + port;
  }
}
