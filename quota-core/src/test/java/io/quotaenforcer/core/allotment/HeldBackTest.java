package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.QuotaUsage;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reports that are due while answers take 200 ms: one in 50 ms has all of them. */
class HeldBackTest {
  private final TestBook client = new TestBook(strict(new FixedWindow(1_000, 10 * SECOND)));

  /** A report of another key has just left. */
  @BeforeEach
  void answersTakeLong() {
    client.decide("other", 1);
    client.reports();
    client.passes(200 * MILLI);
    client.answer().of(key("rule", "other"), 1).remaining(100).send();
    client.decide("other", 1);
    assertThat(reported()).containsExactly(key("rule", "other"));
  }

  private List<QuotaKey> reported() {
    return client.reports().stream().map(QuotaUsage::quotaKey).toList();
  }

  @Test
  void newKeys_leaveTogether_atTheFirstPassThatMayReport() {
    client.passes(MILLI);
    client.decide("a", 1);
    assertThat(reported()).isEmpty();
    client.passes(47 * MILLI);
    client.decide("b", 1);
    assertThat(reported()).isEmpty();
    client.passes(MILLI);
    assertThat(reported()).as("49 ms after the last").isEmpty();

    client.passes(MILLI);
    assertThat(reported()).containsExactlyInAnyOrder(key("rule", "a"), key("rule", "b"));
    client.passes(MILLI);
    assertThat(reported()).as("each once").isEmpty();
  }
}
