package io.quotaenforcer.schemas.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.AuditRecord.Change;
import io.quotaenforcer.core.message.AuditRecord.Outcome;
import io.quotaenforcer.core.message.AuditRecord.Result;
import io.quotaenforcer.core.message.AuditRecord.What;
import io.quotaenforcer.core.message.AuditRecord.Who;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AuditRecordMappingTest {
  private static final Who OLGA = new Who("olga", "operator", "10.0.0.7");

  @Test
  void fromRecord_aRecord_isWhatWasWritten() {
    for (Outcome outcome : Outcome.values()) {
      AuditRecord published =
          new AuditRecord(
              5,
              OLGA,
              new What("rule-put", "posts/per-user"),
              new Result(
                  outcome, "why", new Change(Optional.of(2L), Optional.of(3L), Optional.empty())));
      assertThat(AuditRecordMapping.fromRecord(AuditRecordMapping.toRecord(published)))
          .isEqualTo(published);
    }
    AuditRecord purged =
        new AuditRecord(
            6,
            OLGA,
            new What("deferred-purge", "posts/per-user"),
            new Result(Outcome.DONE, "", Change.counting(7)));
    assertThat(AuditRecordMapping.fromRecord(AuditRecordMapping.toRecord(purged)))
        .isEqualTo(purged);
  }

  @Test
  void texts_areCutWhereTheyAreLong() {
    String text = "x".repeat(5_000);

    assertThat(new What("a", text).target()).hasSize(AuditRecord.MAX_TEXT_CHARS).endsWith("…");
    assertThat(new Result(Outcome.DONE, text, Change.NONE).reason())
        .hasSize(AuditRecord.MAX_TEXT_CHARS);
  }

  @Test
  void fromRecord_anotherOutcome_isRefusedByName() {
    assertThatThrownBy(
            () ->
                AuditRecordMapping.fromRecord(
                    new io.quotaenforcer.schemas.AuditRecord(
                        1L, "a", "b", "c", "d", "e", "perhaps", "", null, null, null)))
        .hasMessage("must be done, refused or failed: outcome=perhaps");
  }
}
