package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A queue of replays that wants all of a limit, of which classes of requests have reserved parts.
 */
class QueueBesideClassesTest {
  private static final String QUEUE = HolderId.Replays.of(0).text();
  private static final long PERIOD = 10 * SECOND;

  @RegisterExtension final TestLedger ledger = TestLedger.leasing(new FixedWindow(1_000, PERIOD));

  /** Permits that it is granted of a window. */
  private long granted(int reserveBasisPoints) {
    ledger.rule =
        ledger.rule.withClasses(
            new DemandClasses(
                List.of(
                    new DemandClass("critical", Map.of(), reserveBasisPoints, 10_000),
                    new DemandClass("normal", Map.of(), 0, 10_000))));
    CellGrant last = null;
    for (long end = ledger.now + PERIOD - SECOND; ledger.now < end; ledger.passes(100 * MILLI)) {
      TestLedger.Report report = ledger.from(QUEUE).needs(5_000).loop(50 * MILLI);
      TestLedger.Sent sent = (last == null ? report : report.uses(last, last.granted())).send();
      assertThat(sent.answer.kept()).isEmpty();
      last = sent.grants().isEmpty() ? last : sent.grant();
    }
    return last == null ? 0 : last.granted();
  }

  @Test
  void queue_leavesWhatIsReserved() {
    assertThat(granted(6_000)).isBetween(350L, 400L);
  }

  @Test
  void queue_hasItsShareOfTheLimit_whateverIsReserved() {
    assertThat(granted(10_000)).isBetween(150L, 200L);
  }

  @Test
  void queue_nothingIsReserved_takesWhatNobodyAsksFor() {
    assertThat(granted(0)).isGreaterThan(800);
  }
}
