package io.quotaenforcer.lab.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.trace.TraceReader;
import io.quotaenforcer.lab.trace.TraceRow;
import io.quotaenforcer.lab.trace.TraceWriter;
import io.quotaenforcer.lab.verdict.KeyEntry;
import io.quotaenforcer.lab.verdict.KeyTable;
import io.quotaenforcer.lab.verdict.VerdictTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFolderTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Rule RULE =
      Rule.of(new RuleId("shop", "orders"), List.of("user"), new FixedWindow(10, SECOND));
  private static final TraceFolder TRACES =
      new TraceFolder("shop", List.of(RULE), VerdictTerms.of(2, 2));

  @TempDir Path folder;

  @Test
  void join_ofAServiceThatWasKilledWhileItWrote_leavesItsLastLineOut_eachTime() throws IOException {
    write("a", 1, 3);
    write("b", 2);
    Files.writeString(
        folder.resolve("b").resolve("b.csv"), "3,b,shop/or", StandardOpenOption.APPEND);

    for (int i = 0; i < 2; i++) {
      TRACES.join(folder, List.of("a", "b"));
      assertThat(rows()).extracting(TraceRow::epochMicros).containsExactly(1L, 2L, 3L);
      assertThat(rows()).extracting(TraceRow::instance).containsExactly("a", "b", "a");
    }
  }

  private void write(String service, long... micros) throws IOException {
    KeyEntry key = new KeyTable(List.of(RULE)).of(QuotaKey.of(RULE.id(), List.of("u")));
    try (TraceWriter trace = TRACES.open(folder.resolve(service), List.of(service))) {
      for (long at : micros) {
        trace.accept(at * 1_000, 0, key, 1, PermitSource.GRANTED, 0);
      }
    }
  }

  private List<TraceRow> rows() throws IOException {
    List<TraceRow> rows = new ArrayList<>();
    TraceReader.open(folder).forEach(rows::add);
    return rows;
  }
}
