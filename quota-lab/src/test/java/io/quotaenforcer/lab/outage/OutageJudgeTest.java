package io.quotaenforcer.lab.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.lab.service.TraceFolder;
import io.quotaenforcer.lab.trace.TraceWriter;
import io.quotaenforcer.lab.verdict.KeyEntry;
import io.quotaenforcer.lab.verdict.KeyTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both enforcers are away from second 10 to 22; leases last 2 s, and grants flow from 24 on. */
class OutageJudgeTest {
  private static final long SECOND_MICROS = 1_000_000;
  private static final long START = 1_700_000_000L * SECOND_MICROS;
  private static final String SERVICE = "service-1";
  private static final StrictLimit LIMIT =
      new StrictLimit(LimitKind.FIXED_WINDOW, Spread.EVEN, 300);
  private static final List<StrictLimit> LIMITS = List.of(LIMIT);
  private static final int ASKED_IN_A_SECOND = 500;
  private static final int END = 40;

  @TempDir Path folder;

  @Test
  void limit_whileAllAreAway_isJudgedByWhatWasAdmitted() throws IOException {
    OutageRow row = judged(300);

    assertThat(row.admittedPct()).isCloseTo(100.0 * 2 / 14, within(0.1));
    assertThat(row.duringPct()).isCloseTo(100.0 * 2 / 12, within(0.1));
    assertThat(row.recoveryPct()).isCloseTo(0, within(0.1));
    assertThat(row.afterPct()).isCloseTo(100, within(0.1));
    assertThat(row.turnedAwayPct()).isCloseTo(100.0 * 12 / 30, within(0.1));
    assertThat(row.overPct()).isZero();
    assertThat(row.withoutGrantSeconds()).isCloseTo(14, within(0.05));
    assertThat(row.wholeAgainSeconds()).isEqualTo(2);
    assertThat(row.endSeconds()).isEqualTo(12);
    assertThat(row.movedSeconds()).isNull();
    assertThat(row.takenOverSeconds()).isEqualTo(12);
    assertThat(row.restoredSeconds()).isEqualTo(13);
    assertThat(row.answerSeconds()).isCloseTo(14, within(0.05));
    assertThat(row.grantSeconds()).isCloseTo(14, within(0.05));
  }

  @Test
  void limit_admittedMore_isOverByAllOfIt() throws IOException {
    assertThat(judged(303).overPct()).isCloseTo((END - 12) * 1.0, within(0.01));
  }

  /** The row when {@code permits} were admitted in a window of true time. */
  private OutageRow judged(int permits) throws IOException {
    writeTrace(permits);
    writeAnswers();
    Stage.Times times =
        new Stage.Times(Fault.ENFORCERS_AWAY, START, second(10), second(22), second(END));
    return new OutageJudge(
            List.of(times),
            from -> Long.MAX_VALUE,
            LongStream.of(second(2), second(22), second(25)),
            LongStream.of(second(23)))
        .judge(folder, LIMITS, List.of(SERVICE))
        .get(0);
  }

  private void writeTrace(int permits) throws IOException {
    TraceFolder traces = OutageService.traces(LIMITS);
    KeyEntry key = new KeyTable(traces.rules()).of(LIMIT.quotaKey());
    try (TraceWriter trace = traces.open(folder.resolve(SERVICE), List.of(SERVICE))) {
      for (int second = 0; second < END; second++) {
        for (int i = 0; i < ASKED_IN_A_SECOND; i++) {
          long at = second(second) + i * SECOND_MICROS / ASKED_IN_A_SECOND;
          boolean admitted = i < permits && (second < 12 || second >= 24);
          trace.accept(
              at * 1_000,
              0,
              key,
              1,
              admitted ? PermitSource.GRANTED : PermitSource.NONE,
              second(second) * 1_000);
        }
      }
    }
  }

  private void writeAnswers() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (long at = START; at < second(END); at += 20_000) {
      if (at < second(10) || at >= second(24)) {
        lines.append(at).append(",0,5000\n").append(at).append(",1,5000\n");
      }
    }
    Files.writeString(folder.resolve(SERVICE).resolve("loops.csv"), lines.toString());
  }

  private static long second(int number) {
    return START + number * SECOND_MICROS;
  }
}
