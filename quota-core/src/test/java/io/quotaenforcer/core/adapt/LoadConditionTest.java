package io.quotaenforcer.core.adapt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadConditionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "cpu > 80%",
        "in-flight > 64",
        "throughput < 12.5/s",
        "latency.p90 > 250us",
        "latency.p99 > 300ms",
        "latency.p99 > 1.5s",
        "errors > 0.1%",
        "queue > 20"
      })
  void condition_readAndWritten_isTheSame(String text) {
    assertThat(LoadCondition.parse(text)).hasToString(text);
    assertThat(LoadCondition.parse(" " + text.replace(" ", "") + "\t")).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cpu                  | such as latency.p99 > 300ms: cpu",
        "cpu >= 80%           | must be a quantity, > or <",
        "cpu 80%              | must be a quantity, > or <",
        "cpu > 80% or more    | must be a quantity, > or <",
        "load > 3             | must be about one of cpu, in-flight, throughput, latency.p90,",
        "latency > 300ms      | latency.p99, errors, queue: latency",
        "CPU > 80%            | must be about one of cpu",
        "cpu > 80             | cpu must be compared with a percentage such as 80% above 0: 80",
        "cpu > 0%             | cpu must be compared with a percentage such as 80% above 0: 0%",
        "cpu > -1%            | cpu must be compared with a percentage",
        "latency.p99 > 300    | latency.p99 must be compared with a duration such as 300ms",
        "latency.p99 > 5m     | latency.p99 must be compared with a duration such as 300ms",
        "queue > 20%          | queue must be compared with a number such as 20 above 0: 20%",
        "queue > 1e9          | queue must be compared with a number such as 20",
        "queue > 9999999999   | queue must be compared with a number such as 20",
        "throughput < 10      | throughput must be compared with a rate such as 200/s above 0: 10"
      })
  void text_thatIsNoCondition_isRefusedWithWhatToWrite(String text, String message) {
    assertThatThrownBy(() -> LoadCondition.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void upperBound_betweenHoldingAndOver_hasABand() {
    LoadCondition condition = LoadCondition.parse("queue > 20");

    assertThat(condition.holdsAt(20.5)).isTrue();
    assertThat(condition.holdsAt(20)).isFalse();
    assertThat(condition.isOverAt(19)).isFalse();
    assertThat(condition.isOverAt(18)).isTrue();
  }

  @Test
  void lowerBound_betweenHoldingAndOver_hasABand() {
    LoadCondition condition = LoadCondition.parse("throughput < 20/s");

    assertThat(condition.holdsAt(19.5)).isTrue();
    assertThat(condition.holdsAt(20)).isFalse();
    assertThat(condition.isOverAt(21)).isFalse();
    assertThat(condition.isOverAt(22)).isTrue();
  }

  @Test
  void room_isThePartOfTheBoundThatIsLeft() {
    assertThat(LoadCondition.parse("queue > 20").room(5)).isEqualTo(0.75);
    assertThat(LoadCondition.parse("queue > 20").room(21)).isZero();
    assertThat(LoadCondition.parse("throughput < 20/s").room(25)).isEqualTo(0.25);
    assertThat(LoadCondition.parse("throughput < 20/s").room(19)).isZero();
    assertThat(LoadCondition.parse("throughput < 20/s").room(100)).isEqualTo(1);
  }
}
