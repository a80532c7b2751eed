package io.quotaenforcer.bench.moving;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.BenchRun;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Short rows in real time, on a broker and an enforcer in this process: with classes of requests,
 * and with {@code -Dlong} all of them.
 */
@Tag("alone")
@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MovingCommandIT {
  private BenchRun run;
  private JsonNode json;

  @BeforeAll
  void run(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("m.json");
    String only = "--only=" + (isLong() ? ".*" : "classes");
    run = BenchRun.of("moving", "--mode=real", "--quick", "--seed=5", only, "--json=" + file);
    json = new ObjectMapper().readTree(file.toFile());
  }

  private static boolean isLong() {
    return System.getProperty("long") != null;
  }

  private JsonNode only(String scenario) {
    JsonNode rows = json.at("/real/" + scenario);
    assertThat(rows).as("%s", run).hasSize(1);
    assertThat(rows.get(0).get("over").asLong()).as("%s", run).isZero();
    assertThat(rows.get(0).get("loopMs").asDouble()).as("%s", run).isPositive();
    return rows.get(0);
  }

  @Test
  void strictLimits_areKept_andNothingIsSimulated() {
    assertThat(run.exitCode()).as("%s", run).isZero();
    assertThat(json.get("classes")).as("%s", run).isEmpty();
    assertThat(json.get("elastic")).as("%s", run).isEmpty();
    assertThat(json.get("targets")).as("%s", run).hasSizeGreaterThanOrEqualTo(isLong() ? 9 : 1);
  }

  @Test
  void firstClass_isServed_andTheLastOneIsThrottledFirst() {
    JsonNode row = only("classes");

    // Of requests of 3.3 times the limit, a class that came in its turn would have 0.3.
    assertThat(row.get("critical").asDouble()).as("%s", run).isBetween(0.4, 1.0);
    assertThat(row.get("normal").asDouble())
        .as("%s", run)
        .isGreaterThan(row.get("batch").asDouble());
    assertThat(row.get("used").asDouble()).as("%s", run).isBetween(0.5, 1.01);
  }

  @Test
  @Tag("long")
  void usersWithinTheirLimit_areServed_andOthersBorrow() {
    JsonNode row = only("elastic");

    assertThat(row.get("within").asDouble()).as("%s", run).isBetween(0.8, 1.0);
    assertThat(row.get("most").asDouble())
        .as("%s", run)
        .isGreaterThan(row.get("ownLimit").asDouble());
    assertThat(row.get("used").asDouble()).as("%s", run).isBetween(0.5, 1.01);
  }

  @Test
  @Tag("long")
  void slots_areUsed_andThoseOfAKilledInstanceComeBack_notBeforeTheyMay() {
    JsonNode row = only("slots");

    assertThat(row.get("used").asDouble()).as("%s", run).isBetween(0.5, 1.0);
    assertThat(row.get("most").asLong()).as("%s", run).isEqualTo(20);
    assertThat(row.get("backSeconds").asDouble()).as("%s", run).isBetween(3.0, 20.0);
  }
}
