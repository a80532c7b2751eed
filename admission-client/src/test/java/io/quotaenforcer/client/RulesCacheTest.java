package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RulesCacheTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir Path folder;
  @RegisterExtension final CapturedLog log = new CapturedLog(RulesCache.class);

  private RulesFile file(String name) {
    return new RulesFile(folder.resolve(name), "quota.rules", "shop");
  }

  private static RuleSet rules(String id) {
    Rule rule =
        Rule.of(new RuleId("shop", id), List.of("user"), new FixedWindow(10, 1_000_000_000L))
            .withVersion(1, 1);
    return RuleSet.of(List.of(rule));
  }

  @Test
  void change_isWritten_withTheTimeAndTheInstancesThereMayBe() {
    try (RulesCache cache = new RulesCache(file("rules"), "written")) {
      cache.changed(rules("a"), 40, NOW);

      await().atMost(SOON).until(() -> file("rules").read().isPresent());
    }
    RulesFile.Content content = file("rules").read().orElseThrow();
    assertThat(content.asOf()).isEqualTo(NOW);
    assertThat(content.maxInstances()).isEqualTo(40);
    assertThat(content.rules().rules()).isEqualTo(rules("a").rules());
  }

  @Test
  void confirmation_soonAfterAChange_writesNothing() {
    try (RulesCache cache = new RulesCache(file("rules"), "confirmed")) {
      cache.confirmed(NOW);
      cache.changed(rules("a"), 40, NOW);
      cache.confirmed(NOW.plus(RulesCache.ANEW));
      cache.close(SOON);
    }

    assertThat(file("rules").read().orElseThrow().asOf()).isEqualTo(NOW);
  }

  @Test
  void cache_thatNothingCameTo_startsNoThreadAndWritesNoFile() {
    try (RulesCache cache = new RulesCache(file("rules"), "idle")) {
      assertThat(
              Thread.getAllStackTraces().keySet().stream()
                  .anyMatch(thread -> thread.getName().equals("quota-rules-cache-idle")))
          .isFalse();
      cache.close(SOON);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void close_writesTheLastChange_andTakesNoMore() {
    RulesCache cache = new RulesCache(file("rules"), "closed");
    cache.changed(rules("a"), 40, NOW);
    cache.changed(rules("b"), 41, NOW);
    cache.close(SOON);
    cache.changed(rules("c"), 42, NOW);

    assertThat(file("rules").read().orElseThrow().maxInstances()).isEqualTo(41);
    await()
        .atMost(SOON)
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("quota-rules-cache-closed")));
  }

  @Test
  void file_thatEndsInAnError_isSaidOnce_andTriedWithEachChange() {
    AtomicInteger tries = new AtomicInteger();
    try (RulesCache cache =
        new RulesCache(new RulesFile(unlinked(tries), "quota.rules", "shop"), "unlinked")) {
      cache.changed(rules("a"), 40, NOW);
      await().atMost(SOON).until(() -> tries.get() == 1);

      cache.changed(rules("b"), 41, NOW);

      await().atMost(SOON).until(() -> tries.get() == 2);
      cache.close(SOON);
    }

    assertThat(log.said())
        .singleElement()
        .asString()
        .startsWith("WARN cannot write rules.cache=unlinked");
  }

  /** A path of a file system of another version. */
  private static Path unlinked(AtomicInteger tries) {
    return (Path)
        Proxy.newProxyInstance(
            RulesCacheTest.class.getClassLoader(),
            new Class<?>[] {Path.class},
            (path, method, arguments) ->
                switch (method.getName()) {
                  case "toString" -> "unlinked";
                  case "toAbsolutePath" -> path;
                  default -> {
                    tries.incrementAndGet();
                    throw new NoSuchMethodError(method.getName());
                  }
                });
  }

  @Test
  void file_thatCannotBeWritten_isSaidOnce_andTriedWithEachChange() throws IOException {
    Path missing = folder.resolve("missing");
    RulesFile nowhere = new RulesFile(missing.resolve("rules"), "quota.rules", "shop");
    try (RulesCache cache = new RulesCache(nowhere, "failing")) {
      cache.changed(rules("a"), 40, NOW);
      await().atMost(SOON).until(() -> !log.said().isEmpty());
      cache.changed(rules("b"), 41, NOW);
      Files.createDirectory(missing);
      cache.changed(rules("c"), 42, NOW);

      await().atMost(SOON).until(() -> nowhere.read().isPresent());
    }

    assertThat(log.said())
        .singleElement()
        .asString()
        .startsWith("WARN cannot write rules.cache=" + missing.resolve("rules"));
    assertThat(nowhere.read().orElseThrow().maxInstances()).isEqualTo(42);
  }
}
