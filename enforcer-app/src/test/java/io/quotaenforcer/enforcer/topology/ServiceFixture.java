package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The real topology with instances of a service, under the rules of a file. Time stands still while
 * requests are decided, so that they come at the very moment that a test names, however many loops
 * their permits take; between them reports go as they do.
 */
final class ServiceFixture implements AutoCloseable {
  private static final Duration STEP = Duration.ofMillis(5);

  /** Longer than permits that are not used are held. */
  private static final Duration SETTLING = Duration.ofSeconds(3);

  /** Longer than two reports of a key are apart, and shorter than a lease. */
  private static final Duration SILENCE = Duration.ofMillis(100);

  private static final int LOOPS = 5;
  private static final long CLOCKS_APART = 1_000_000_007L;

  final TopologyFixture topology;
  private final List<ServiceInstance> instances = new ArrayList<>();
  private Instant now = TopologyFixture.START;

  ServiceFixture(Path stateFolder, int instanceCount, String rulesYaml) {
    topology = new TopologyFixture(stateFolder, rules(rulesYaml).toArray(Rule[]::new));
    for (int i = 0; i < instanceCount; i++) {
      instances.add(new ServiceInstance(topology, "instance-" + i, (i + 1) * CLOCKS_APART));
    }
  }

  /** One instance. */
  ServiceFixture(Path stateFolder, String rulesYaml) {
    this(stateFolder, 1, rulesYaml);
  }

  private static List<Rule> rules(String yaml) {
    if (RuleFile.parse("rules.yaml", yaml) instanceof RuleFile.Valid valid) {
      return valid.rules().stream().map(rule -> rule.withVersion(1, 1)).toList();
    }
    throw new AssertionError("a rule file must be valid: " + RuleFile.parse("rules.yaml", yaml));
  }

  ServiceInstance instance(int index) {
    return instances.get(index);
  }

  /** Goes on to {@code 00:01:05} of the first day, or to {@code 2026-03-31T22:00:00Z}. */
  ServiceFixture at(String time) {
    Instant target =
        time.contains("T")
            ? Instant.parse(time)
            : TopologyFixture.START.plusNanos(LocalTime.parse(time).toNanoOfDay());
    if (target.isBefore(now)) {
      throw new AssertionError("a test must not go back in time: " + time);
    }
    passes(Duration.between(now, target));
    return this;
  }

  /**
   * Lets time pass: in steps while there may be something to say, then at once; and the last moment
   * at once, so that no report is too fresh for another one to follow.
   */
  void passes(Duration time) {
    Instant target = now.plus(time);
    Instant settled = now.plus(SETTLING);
    while (now.isBefore(settled) && now.plus(SILENCE).isBefore(target)) {
      run(STEP);
    }
    if (now.isBefore(target)) {
      loop();
      advance(Duration.between(now, target));
    }
  }

  /** Lets time pass in steps. */
  void run(Duration time) {
    Instant target = now.plus(time);
    while (now.isBefore(target)) {
      loop();
      advance(STEP);
    }
  }

  private void advance(Duration time) {
    now = now.plus(time);
    topology.advance(time);
  }

  /** Decisions on requests that come to an instance now. */
  List<Decision> decide(int instance, int requests, Request request) {
    List<CompletableFuture<Decision>> asked = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      asked.add(instance(instance).ask(request));
    }
    decideAll();
    return asked.stream().map(CompletableFuture::join).toList();
  }

  /** How many of {@code requests} requests are admitted that come to the first instance now. */
  int admitted(int requests, String... attributes) {
    return admitted(0, requests, Request.of(attributes));
  }

  int admitted(int instance, int requests, Request request) {
    return (int) decide(instance, requests, request).stream().filter(Decision::admitted).count();
  }

  /** How many requests are admitted when {@code requestsEach} come to each instance now. */
  int admittedByAll(int requestsEach, String... attributes) {
    List<CompletableFuture<Decision>> asked = new ArrayList<>();
    for (int i = 0; i < requestsEach; i++) {
      instances.forEach(instance -> asked.add(instance.ask(Request.of(attributes))));
    }
    decideAll();
    return (int) asked.stream().filter(decision -> decision.join().admitted()).count();
  }

  boolean admits(String... attributes) {
    return admitted(1, attributes) == 1;
  }

  /** By what one request that comes now is decided. */
  RuleDecision decision(String... attributes) {
    return decide(0, 1, Request.of(attributes)).get(0).rule().orElseThrow();
  }

  private void decideAll() {
    for (int i = 0; i < LOOPS; i++) {
      loop();
    }
    instances.forEach(ServiceInstance::giveUp);
  }

  /** Reports and their answers; those that wait for a commit, too. */
  private void loop() {
    instances.forEach(ServiceInstance::report);
    topology.commit();
    topology
        .announced()
        .forEach(told -> instances.forEach(instance -> instance.hear(told.key, told.value)));
    instances.forEach(ServiceInstance::receive);
  }

  @Override
  public void close() {
    topology.close();
  }
}
