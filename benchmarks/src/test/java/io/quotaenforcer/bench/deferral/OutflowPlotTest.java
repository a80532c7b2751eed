package io.quotaenforcer.bench.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class OutflowPlotTest {
  private static final OutflowShape EVEN = new OutflowShape(Collections.nCopies(10, 10), 0, 0.5);
  private static final OutflowShape BURST =
      new OutflowShape(List.of(100, 0, 0, 0, 0, 0, 0, 0, 0, 0), 180, 50);

  @Test
  void draw_hasABarForEachTenthInWhichSomethingLeft() throws Exception {
    String svg = new OutflowPlot(100).draw(EVEN, BURST);

    Document picture =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertThat(bars(picture, 0)).isEqualTo(10);
    assertThat(bars(picture, 1)).isEqualTo(1);
    assertThat(svg)
        .contains("release: steady, token bucket: within 0.5 permits of the straight line")
        .contains("fixed window of 1 s: within 50.0 permits of the straight line")
        // The tallest bar fills its panel; a steady one reaches half, as there is room for twice.
        .contains("height=\"150.0\"")
        .contains("height=\"75.0\"");
  }

  private static int bars(Document picture, int panel) {
    Element group = (Element) picture.getElementsByTagName("g").item(panel);
    return group.getElementsByTagName("rect").getLength();
  }
}
