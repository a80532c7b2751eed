package io.quotaenforcer.enforcer.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void health_isOneForTheStateThatItIs() {
    AtomicReference<String> state = new AtomicReference<>("starting");
    StateMetrics.health(registry, state::get);
    assertThat(health("starting")).isOne();
    assertThat(health("failed")).isZero();

    state.set("failed");
    assertThat(health("starting")).isZero();
    assertThat(health("failed")).isOne();
  }

  @Test
  void disk_isThatOfAFolderThatIsYetToCome(@TempDir Path folder) {
    StateMetrics.disk(registry, folder.resolve("a").resolve("b"));

    double size = registry.get("quota.state.disk.size").gauge().value();
    assertThat(size).isEqualTo(folder.toFile().getTotalSpace());
    assertThat(registry.get("quota.state.disk.free").gauge().value()).isBetween(0.0, size);
  }

  @Test
  void build_hasTheVersions() {
    StateMetrics.build(registry, "1.2.3");

    assertThat(registry.get("quota.build.info").tag("version", "1.2.3").gauge().value()).isOne();
    assertThat(registry.get("quota.build.info").gauge().getId().getTag("kafka")).startsWith("4.");
  }

  private double health(String state) {
    return registry.get("quota.health").tag("state", state).gauge().value();
  }
}
