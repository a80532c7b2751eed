package io.quotaenforcer.enforcer.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class LifecycleTest {
  private final List<String> closed = new CopyOnWriteArrayList<>();

  @Test
  void resources_atTheEnd_areClosedOnceInReverseOrder() {
    Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(5));
    lifecycle.add("first", () -> closed.add("first"));
    lifecycle.add("second", () -> closed.add("second"));

    lifecycle.close();
    lifecycle.close();

    assertThat(closed).containsExactly("second", "first");
  }

  @Test
  void resource_thatFails_doesNotKeepTheOthersOpen() {
    Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(5));
    lifecycle.add("first", () -> closed.add("first"));
    lifecycle.add(
        "failing",
        () -> {
          throw new IllegalStateException("expected by the test");
        });

    lifecycle.close();

    assertThat(closed).containsExactly("first");
  }

  @Test
  void resource_thatHangs_holdsUpNoLongerThanTheDeadline() {
    CountDownLatch never = new CountDownLatch(1);
    Lifecycle lifecycle = Lifecycle.start(Duration.ofMillis(50));
    lifecycle.add("hanging", never::await);

    lifecycle.close();

    never.countDown();
  }

  @Test
  void resource_addedTooLate_isClosedAtOnce() {
    Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(5));
    lifecycle.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> lifecycle.add("late", () -> closed.add("late")));
    assertThat(closed).containsExactly("late");
  }

  @Test
  void waiting_endsWhenStopped() throws Exception {
    Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(5));
    lifecycle.stop();
    lifecycle.awaitStop();
    lifecycle.close();
  }
}
