package io.quotaenforcer.core.adapt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadConditionTest {
  private static final long SEED = 1;
  private static final List<String> UNITS =
      List.of(
          "cpu > %s%%",
          "queue > %s",
          "throughput < %s/s",
          "latency.p99 > %sus",
          "latency.p99 > %sms",
          "latency.p99 > %ss");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cpu > 80%",
        "in-flight > 64",
        "throughput < 12.5/s",
        "latency.p90 > 250us",
        "latency.p99 > 300ms",
        "latency.p99 > 1.5s",
        "latency.p99 > 1250.5ms",
        "latency.p90 > 1500.123us",
        "latency.p99 > 999999999.999s",
        "errors > 0.1%",
        "queue > 20"
      })
  void condition_readAndWritten_isTheSame(String text) {
    assertThat(LoadCondition.parse(text)).hasToString(text);
    assertThat(LoadCondition.parse(" " + text.replace(" ", "") + "\t")).hasToString(text);
  }

  @Test
  void condition_ofAnyBound_readsBackTheSame() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 10_000; i++) {
      String unit = UNITS.get(random.nextInt(UNITS.size()));
      BigDecimal number = BigDecimal.valueOf(1 + random.nextLong(1L << random.nextInt(1, 40)), 3);
      LoadCondition condition = LoadCondition.parse(unit.formatted(number.toPlainString()));
      assertThat(LoadCondition.parse(condition.toString())).isEqualTo(condition);
    }
  }

  @Test
  void measuredValue_isRoundedInItsUsualUnit() {
    assertThat(LoadUnit.NANOS.text(1_234_567_891.4)).isEqualTo("1.235s");
    assertThat(LoadUnit.NANOS.text(312_456_789.1)).isEqualTo("312.457ms");
    assertThat(LoadUnit.PART.text(0.123456)).isEqualTo("12.346%");
    assertThat(LoadUnit.COUNT.text(0)).isEqualTo("0");
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
