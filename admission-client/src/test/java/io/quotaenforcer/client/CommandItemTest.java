package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.internal.kafka.DeferralWriter.Written;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.DeferralInput;
import java.time.Duration;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class CommandItemTest {
  private static final QuotaKey KEY = QuotaKey.parse("posts/a/42");
  private static final DeferralInput COMMAND = new DeferralInput.Cancel("mail-1", KEY, "cancelled");

  private final CommandItem item = new CommandItem(COMMAND, KEY);

  @Test
  void command_isWrittenForItsKey_andTakesNoneOfTheRoomOfPayloads() {
    assertThat(item.input(4)).contains(COMMAND);
    assertThat(item.quotaKey()).isEqualTo(KEY);
    assertThat(item.bytes()).isZero();
    assertThat(item.future()).isNotDone();
  }

  @Test
  void command_thatIsDurable_isDone() {
    item.outcome(Written.YES, null);

    assertThat(item.future()).isCompletedWithValue(null);
  }

  @Test
  void command_thatMayNotBeWritten_failsWithTheWritersFailure() {
    TimeoutException failure = new TimeoutException("10 s");

    item.outcome(Written.UNKNOWN, failure);

    assertThat(item.future())
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCause(failure);
  }

  @Test
  void commands_alike_areDoneEachForItself() {
    CommandItem other = new CommandItem(COMMAND, KEY);
    item.outcome(Written.YES, null);

    assertThat(other.future()).isNotDone();
  }
}
