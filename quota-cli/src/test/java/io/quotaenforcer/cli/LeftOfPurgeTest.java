package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.ExitCode;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeftOfPurgeTest {
  /** Lets a user wait for so many looks. */
  private static Patience looks(int looks) {
    return new Patience(Duration.ofNanos(looks + 1), new AtomicLong()::getAndIncrement);
  }

  private static LeftOfPurge await(int looks, Long... counts) throws InterruptedException {
    Iterator<Long> all = List.of(counts).iterator();
    return LeftOfPurge.await(all::next, 7, looks(looks));
  }

  @Test
  void purge_isDone_onceNothingWaits() throws InterruptedException {
    LeftOfPurge left = await(5, 3L, 0L);

    assertThat(left.isDone()).isTrue();
    assertThat(left.advice()).isEmpty();
    assertThat(await(1, 3L).advice())
        .contains("3 still wait, or came since: quota deferred stats shows when it is done");
  }

  @Test
  void purge_ofWhichNobodyTells_isAskedFor() throws InterruptedException {
    LeftOfPurge left =
        LeftOfPurge.await(
            () -> {
              throw new CommandException(ExitCode.UNREACHABLE, "incomplete: ask again soon");
            },
            7,
            looks(1));

    assertThat(left.isDone()).isFalse();
    assertThat(left.requests()).isEqualTo(OptionalLong.empty());
    assertThat(left.trouble()).contains("incomplete: ask again soon");
    assertThat(left.advice())
        .contains(
            "it is asked for, and not known to be done; quota deferred stats shows when it is done");
  }
}
