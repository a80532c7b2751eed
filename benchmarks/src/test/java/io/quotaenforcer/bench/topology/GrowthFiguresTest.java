package io.quotaenforcer.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.figures.Targets;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class GrowthFiguresTest {
  private static final GrowthFigures FIGURES =
      new GrowthFigures(
          List.of(
              result(10_000, 4, 100, 300),
              result(10_000, 64, 100, 2_000),
              result(1_000_000, 4, 100, 600)),
          0.5);

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
    new GrowthFigures(List.of(result(10_000, 4, 100, 1), result(10_000, 64, 150, 1)), 3)
        .addTo(targets);

    assertThat(targets.shortOf())
        .containsExactly(
            "bytes addressed to an instance per request, 64 instances to 4: 1.50, must be at most"
                + " 1.10",
            "records/s of an idle instance: 3, must be at most 2");
  }

  @Test
  void plot_hasACurveForEachFigure() throws Exception {
    String svg = new GrowthPlot().draw(FIGURES);

    Document picture =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertThat(picture.getElementsByTagName("polyline").getLength()).isEqualTo(4);
    assertThat(picture.getElementsByTagName("circle").getLength()).isEqualTo(8);
    assertThat(svg).contains("1,000,000");
  }

  private static GrowthResult result(int keys, int instances, long bytes, long mebibytes) {
    return new GrowthResult(
        new GrowthPoint(keys, instances, 0, 1_000),
        5,
        100_000,
        5_000,
        20_000,
        0.001,
        1,
        new GrowthResult.Addressed(10, bytes),
        2.0 * bytes * instances,
        1_000,
        mebibytes);
  }
}
