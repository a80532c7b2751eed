package io.quotaenforcer.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
  @Test
  void samples_areReadWithTheirLabels_commentsAndNonsenseAreNot() {
    PrometheusText text =
        PrometheusText.parse(
            """
            # HELP a_total What a is.
            # TYPE a_total counter
            a_total{x="1",y="say \\"hi\\""} 2.0
            a_total{x="2",y="b"} 3 1700000000000
            b +Inf
            c NaN
            d
            e{x="1} 4
            f one
            """);

    assertThat(text.samples())
        .extracting(PrometheusText.Sample::name)
        .contains("a_total", "b", "c");
    assertThat(text.samples()).extracting(PrometheusText.Sample::name).doesNotContain("d", "f");
    assertThat(text.samples().get(0).labels()).isEqualTo(Map.of("x", "1", "y", "say \"hi\""));
    assertThat(text.sum("a_total")).hasValue(5);
    assertThat(text.sum("a_total", "x", "2")).hasValue(3);
    assertThat(text.sum("a_total", "x", "9")).isEmpty();
    assertThat(text.sum("b")).hasValue(Double.POSITIVE_INFINITY);
    assertThat(text.sum("none")).isEqualTo(OptionalDouble.empty());
    assertThat(text.label("a_total", "y")).contains("say \"hi\"");
    assertThat(text.label("a_total", "z")).isEmpty();
  }
}
