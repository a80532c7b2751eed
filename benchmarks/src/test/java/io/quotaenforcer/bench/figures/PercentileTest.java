package io.quotaenforcer.bench.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PercentileTest {
  @Test
  void at_isTheLeastValueThatSoManyDoNotExceed() {
    Percentile percentile = Percentile.of(LongStream.rangeClosed(1, 200).map(i -> 201 - i));

    assertThat(percentile.at(50)).isEqualTo(100);
    assertThat(percentile.at(99)).isEqualTo(198);
    assertThat(percentile.at(100)).isEqualTo(200);
  }

  @Test
  void at_ofNothing_isZero() {
    assertThat(Percentile.of(LongStream.empty()).at(99)).isZero();
  }
}
