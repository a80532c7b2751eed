package io.quotaenforcer.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.figures.Targets;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrowthFiguresTest {
  private static final GrowthFigures FIGURES =
      new GrowthFigures(
          List.of(
              result(10_000, 4, 100, 300),
              result(10_000, 64, 100, 2_000),
              result(1_000_000, 4, 100, 600)));

  @Test
  void targets_areOfTheLargestStoreAndOfTheGrowthWithInstances() {
    Targets targets = new Targets();

    FIGURES.addTo(targets);

    assertThat(targets.shortOf())
        .containsExactly("MiB beyond the heap, 1,000,000 keys: 600, must be at most 512");
  }

  @Test
  void bytesThatGrowWithInstances_areShort() {
    Targets targets = new Targets();
    new GrowthFigures(List.of(result(10_000, 4, 100, 1), result(10_000, 64, 150, 1)))
        .addTo(targets);

    assertThat(targets.shortOf())
        .containsExactly(
            "bytes addressed to an instance per request, 64 instances to 4: 1.50, must be at most"
                + " 1.10");
  }

  private static GrowthResult result(int keys, int instances, long bytes, long mebibytes) {
    return new GrowthResult(
        new GrowthPoint(keys, instances, 0, 1_000),
        5,
        100_000,
        5,
        20,
        new GrowthResult.Sent(0.001, 1, 0.01, bytes / 1_000.0, bytes * instances / 500.0),
        mebibytes);
  }
}
