package io.quotaenforcer.lab.outage;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.lab.process.BrokerJvms;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.lab.process.QuotaProgram;
import io.quotaenforcer.lab.process.ServiceJvms;
import io.quotaenforcer.lab.process.Wait;
import io.quotaenforcer.rules.RuleYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/** Three brokers, two enforcers with a copy of each other's stores, and three services. */
final class OutageSite implements AutoCloseable {
  private static final int ENFORCERS = 2;
  private static final String USAGE_TOPIC = "quota.usage";
  private static final Duration MENDED_TIMEOUT = Duration.ofSeconds(90);

  private final List<AutoCloseable> open = new ArrayList<>();
  private final Path folder;
  private final Duration term;
  private final QuotaKey key;
  private final BrokerJvms brokers;
  private final ProcessLogs logs;
  private final List<EnforcerJvm> enforcers = new ArrayList<>();
  private final Leaders leaders;
  private final ServiceJvms services;

  /**
   * Starts everything, and the load.
   *
   * @param term how long permits last that an instance was granted and that did not come back
   */
  OutageSite(Path folder, Collection<LimitKind> kinds, Duration term) throws Exception {
    this.folder = folder;
    this.term = term;
    List<StrictLimit> limits = StrictLimit.of(kinds);
    key = limits.get(0).quotaKey();
    logs = new ProcessLogs(folder);
    try {
      brokers = opened(BrokerJvms.start(folder.resolve("brokers")));
      publish(limits);
      for (int i = 0; i < ENFORCERS; i++) {
        enforcers.add(EnforcerJvm.of(launch(i)));
      }
      enforcers.forEach(EnforcerJvm::awaitReady);
      leaders = opened(new Leaders(servers(), USAGE_TOPIC, StrictLimit.PARTITION));
      services =
          opened(
              ServiceJvms.start(
                  folder,
                  new OutageService.Program(servers(), kinds, logs.flags()),
                  IntStream.range(0, Spread.SERVICES)
                      .mapToObj(i -> OutageService.name(i, 0))
                      .toList()));
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  Duration term() {
    return term;
  }

  ProcessLogs logs() {
    return logs;
  }

  Leaders leaders() {
    return leaders;
  }

  ServiceJvms services() {
    return services;
  }

  ChildJvm service(int index) {
    return services.service(index);
  }

  EnforcerJvm enforcer(int index) {
    return enforcers.get(index);
  }

  ChildJvm broker(int index) {
    return brokers.broker(index);
  }

  List<ChildJvm> brokers() {
    return IntStream.range(0, BrokerJvms.BROKERS).mapToObj(brokers::broker).toList();
  }

  /** Which broker leads the partition of the quota keys. */
  int leader() {
    return leaders.leader() - 1;
  }

  /** Which enforcer counts the quota keys. */
  int owner() throws IOException, InterruptedException {
    for (int i = 0; i < ENFORCERS; i++) {
      if (enforcers.get(i).counts(key, StrictLimit.ATTRIBUTE)) {
        return i;
      }
    }
    throw new IllegalStateException("no enforcer counts " + key);
  }

  /** Ends it with SIGTERM, and returns when it is ready again. */
  void restartEnforcer(int index) throws IOException, InterruptedException {
    enforcers.get(index).terminate();
    enforcers.set(index, EnforcerJvm.of(launch(index)));
    enforcers.get(index).awaitReady();
  }

  /** All at once, and returns when they have started. */
  void startDeadEnforcers() throws IOException {
    List<Integer> dead =
        IntStream.range(0, ENFORCERS)
            .filter(i -> !enforcers.get(i).jvm().isAlive())
            .boxed()
            .toList();
    List<ChildJvm> started = new ArrayList<>();
    for (int index : dead) {
      started.add(launch(index));
    }
    for (int i = 0; i < dead.size(); i++) {
      enforcers.set(dead.get(i), EnforcerJvm.of(started.get(i)));
    }
  }

  void awaitOneReady() {
    Wait.until(
        "an enforcer to be ready",
        MENDED_TIMEOUT,
        () -> isReady(enforcers.get(0)) || isReady(enforcers.get(1)));
  }

  /** Starts what has ended, and returns when all are there again and have caught up. */
  void mend() throws IOException {
    for (int i = 0; i < BrokerJvms.BROKERS; i++) {
      if (!brokers.broker(i).isAlive()) {
        brokers.restart(i);
      }
    }
    Wait.until(
        "brokers to have all records", MENDED_TIMEOUT, () -> leaders.areInSync(BrokerJvms.BROKERS));
    startDeadEnforcers();
    for (int i = 0; i < Spread.SERVICES; i++) {
      if (!service(i).isAlive()) {
        services.replace(i, OutageService.name(i, services.names().size()));
      }
    }
    Wait.until(
        "both enforcers to be ready",
        MENDED_TIMEOUT,
        () -> isReady(enforcers.get(0)) && isReady(enforcers.get(1)) && owner() >= 0);
  }

  private String servers() {
    return brokers.bootstrapServers();
  }

  private void publish(List<StrictLimit> limits) throws IOException {
    String server = "--bootstrap-server=" + servers();
    QuotaProgram.run(
        "topics",
        "create",
        "--partitions=" + StrictLimit.PARTITIONS,
        "--max-instances=" + OutageService.MAX_INSTANCES,
        server);
    Path rules = folder.resolve("rules-to-apply.yaml");
    Files.writeString(
        rules, RuleYaml.file(StrictLimit.DOMAIN, limits.stream().map(StrictLimit::rule).toList()));
    QuotaProgram.run("rules", "apply", rules.toString(), server);
  }

  private ChildJvm launch(int index) throws IOException {
    ChildJvm jvm =
        EnforcerJvm.launch(
            folder.resolve("enforcer-" + (index + 1)), logs.flags(), servers(), "http.port=0");
    open.add(jvm);
    logs.addEnforcer(jvm);
    return jvm;
  }

  private static boolean isReady(EnforcerJvm enforcer) throws InterruptedException {
    try {
      return enforcer.isReady();
    } catch (IOException e) {
      return false;
    }
  }

  private <T extends AutoCloseable> T opened(T part) {
    open.add(part);
    return part;
  }

  /** Kills everything. */
  @Override
  public void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }
}
