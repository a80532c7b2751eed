package io.quotaenforcer.bench.decision;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.bench.command.Report;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimingsTest {
  private static final Measured GUAVA =
      Measured.all().stream()
          .filter(it -> it.name().equals("one key: Guava"))
          .findAny()
          .orElseThrow();

  private final List<Timing> timings = new ArrayList<>();

  @Test
  void targets_allReached_areNotShort() throws Exception {
    allReached();
    assertThat(targets()).hasSize(17);
    assertThat(missed()).isEmpty();
  }

  @Test
  void targets_slowerThanATarget_areShort() {
    allReached();
    replace(Measured.BALANCED, 1, 20, 0);
    assertThat(missed())
        .singleElement()
        .asString()
        .isEqualTo("handle, balanced, times faster than Guava: 2, must be at least 3");
  }

  @Test
  void decisionWithAPool_thatTakesLongerThanAPlainOne_isShort() {
    allReached();
    replace(Measured.ELASTIC, 1, 91, 20);
    assertThat(missed())
        .containsExactly(
            "tryAcquire, a rule and its pool, times the processor time of tryAcquire, one rule:"
                + " 1.52, must be at most 1.50",
            "one request: tryAcquire, a rule and its pool, bytes: 20, must be at most 1");
  }

  @Test
  void targets_thatDependOnWhatWasNotTimed_areLeftOut() throws Exception {
    add(Measured.BALANCED, 1, 10, 0);
    assertThat(targets())
        .containsExactly(
            "one key: handle, balanced, bytes",
            "requests answered otherwise than the case asks, without an enforcer, %");
  }

  @Test
  void fastestPeer_thatAnsweredOtherwiseThanTheCaseAsks_doesNotCount() throws Exception {
    add(Measured.BALANCED, 1, 10, 0);
    timings.add(new Timing(GUAVA, 1, 5, List.of(5.0), 5, 0, 0.5));
    add(Measured.SENTINEL, 1, 1_000, 500);
    assertThat(targets()).contains("handle, balanced, times faster than Sentinel");
    assertThat(missed())
        .singleElement()
        .asString()
        .startsWith("requests answered otherwise than the case asks");
    assertThat(describe())
        .contains("not what the case asks for: one key: Guava, 1 threads: 50.0 %");
  }

  @Test
  void describe_timings_haveALineForEachCaseAndLimiter_withBothThreadCounts() {
    allReached();
    String text = describe();
    assertThat(text.lines().filter(line -> line.startsWith("one key: handle, balanced  ")))
        .singleElement()
        .asString()
        .matches("one key: handle, balanced +10.0 +10.0 +0.25 +0 +15.0");
  }

  private void allReached() {
    add(Measured.BALANCED, 1, 10, 0.01);
    add(Measured.BALANCED, 2, 15, 0.01);
    add(Measured.STRICT, 1, 35, 0);
    add(Measured.OF_CLASS, 1, 14, 0);
    add(Measured.SLOTS, 1, 50, 0);
    add(Measured.PLAIN, 1, 60, 0);
    add(Measured.ELASTIC, 1, 89, 0);
    add(GUAVA, 1, 40, 0);
    add(Measured.SENTINEL, 1, 1_000, 500);
    add(Measured.LAYERED, 1, 300, 600);
    add(Measured.LAYERED_REUSED, 1, 200, 90);
    add(Measured.LAYERED_ACQUIRED, 1, 150, 0.2);
    add(Measured.THROTTLED, 1, 19, 0);
    add(Measured.EMIT, 1, 150, 100);
  }

  private void add(Measured measured, int threads, double nanos, double bytes) {
    timings.add(new Timing(measured, threads, nanos, List.of(nanos), nanos, bytes, 0));
  }

  private void replace(Measured measured, int threads, double nanos, double bytes) {
    timings.removeIf(it -> it.measured().equals(measured) && it.threads() == threads);
    add(measured, threads, nanos, bytes);
  }

  private List<String> missed() {
    return new Timings(timings).targets().shortOf();
  }

  private String describe() {
    return String.join("\n", new Timings(timings).describe());
  }

  private List<String> targets() throws JsonProcessingException {
    String json = Report.text(new Timings(timings).targets());
    return new ObjectMapper().readTree(json).get("targets").findValuesAsText("what");
  }
}
