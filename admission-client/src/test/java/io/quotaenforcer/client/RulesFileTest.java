package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RulesFileTest {
  private static final Instant AS_OF = Instant.parse("2026-01-02T03:04:05Z");
  private static final Rule RULE =
      Rule.of(new RuleId("shop", "orders"), List.of("user"), new FixedWindow(10, 60_000_000_000L))
          .withEnforcement(Enforcement.STRICT)
          .withVersion(3, 2);
  private static final RulesFile.Content CONTENT =
      new RulesFile.Content(AS_OF, 40, RuleSet.of(List.of(RULE)));

  @TempDir Path folder;

  @Test
  void rules_writtenAndRead_areTheSame() throws IOException {
    file().write(CONTENT);

    RulesFile.Content read = file().read().orElseThrow();

    assertThat(read.asOf()).isEqualTo(AS_OF);
    assertThat(read.maxInstances()).isEqualTo(40);
    assertThat(read.rules().rules()).isEqualTo(CONTENT.rules().rules());
    assertThat(folder.toFile().list()).as("no temporary file is left").hasSize(1);
  }

  @Test
  void rules_writtenAgain_replaceTheFile() throws IOException {
    file().write(CONTENT);
    file().write(new RulesFile.Content(AS_OF.plusSeconds(1), 0, RuleSet.of(List.of())));

    assertThat(file().read().orElseThrow().rules().rules()).isEmpty();
  }

  @Test
  void file_notThere_isEmpty() {
    assertThat(file().read()).isEmpty();
  }

  @Test
  void file_anyByteChangedOrCutOff_isEmpty() throws IOException {
    file().write(CONTENT);
    Path path = folder.resolve("rules");
    byte[] whole = Files.readAllBytes(path);
    for (int i = 0; i < whole.length; i++) {
      byte[] changed = whole.clone();
      changed[i] ^= 1;
      Files.write(path, changed);
      assertThat(file().read()).as("byte " + i).isEmpty();
      Files.write(path, Arrays.copyOf(whole, i));
      assertThat(file().read()).as("the first " + i).isEmpty();
    }
  }

  @Test
  void file_ofOtherTopicsOrDomains_isEmpty() throws IOException {
    file().write(CONTENT);

    Path path = folder.resolve("rules");
    assertThat(new RulesFile(path, "other.rules", "shop").read()).isEmpty();
    assertThat(new RulesFile(path, "quota.rules", "").read()).isEmpty();
  }

  @Test
  void file_folderNotThere_isNotWritten() {
    RulesFile nowhere = new RulesFile(folder.resolve("none/rules"), "quota.rules", "shop");

    assertThatThrownBy(() -> nowhere.write(CONTENT)).isInstanceOf(IOException.class);
  }

  @Test
  void cache_manyChanges_keepsTheLast() {
    try (RulesCache cache = new RulesCache(file(), "test")) {
      IntStream.range(0, 100).forEach(i -> cache.changed(CONTENT.rules(), i, AS_OF.plusSeconds(i)));
      cache.close(Duration.ofSeconds(20));
    }

    assertThat(file().read().orElseThrow().maxInstances()).isEqualTo(99);
  }

  @Test
  void client_noKafkaAndRulesOfLastTime_decidesByThem() throws IOException {
    Path path = folder.resolve("rules");
    new RulesFile(path, "quota.rules", "").write(CONTENT);
    try (AdmissionClient client = client(Map.of("rules.cache", path.toString()))) {
      assertThat(client.isReady()).isTrue();
      assertThat(client.readiness())
          .isInstanceOfSatisfying(
              Readiness.OfLastTime.class, found -> assertThat(found.asOf()).isEqualTo(AS_OF));
      assertThat(client.decide(Request.of("user", "42")))
          .as("a strict rule, and nobody who grants")
          .isInstanceOf(Decision.Throttled.class);
      assertThat(client.decide(Request.of("ip", "::1"))).isInstanceOf(Decision.Unmatched.class);
    }
  }

  @Test
  void client_noKafkaAndNoRules_saysSoAndAdmitsOrNot() {
    Request request = Request.of("user", "42");
    try (AdmissionClient admits = client(Map.of());
        AdmissionClient denies = client(Map.of("before.rules", "deny"))) {
      assertThat(admits.isReady()).isFalse();
      assertThat(admits.readiness()).isInstanceOf(Readiness.NotYet.class);
      assertThat(admits.decide(request)).isEqualTo(new Decision.NotReady(true));
      assertThat(admits.tryAcquire(request)).isTrue();
      assertThat(admits.reserve(request)).isInstanceOf(Reservation.class);
      assertThat(denies.decide(request)).isEqualTo(new Decision.NotReady(false));
      assertThat(denies.tryAcquire(request)).isFalse();
      assertThat(denies.reserve(request)).isInstanceOf(ReserveOutcome.NotReserved.class);
      assertThat(RateLimitHeaders.of(denies.decide(request))).isEmpty();
      assertThat(admits.handle("shop/orders", "42").tryAcquire()).isTrue();
      assertThat(denies.handle("shop/orders", "42").tryAcquire()).isFalse();
    }
  }

  /** One that was not started: no Kafka is there. */
  private static AdmissionClient client(Map<String, String> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", "127.0.0.1:9");
    return new AdmissionClient(
        AdmissionSettings.read(all, UnaryOperator.identity()),
        Clocks.system(),
        ClientTelemetry.NONE);
  }

  private RulesFile file() {
    return new RulesFile(folder.resolve("rules"), "quota.rules", "shop");
  }
}
