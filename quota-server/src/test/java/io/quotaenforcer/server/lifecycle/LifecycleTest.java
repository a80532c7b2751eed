package io.quotaenforcer.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
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
  void resource_thatEndsInAnError_doesNotKeepTheOthersOpenNorTheEndWaiting() {
    Lifecycle lifecycle = Lifecycle.start(Duration.ofDays(1));
    lifecycle.add("first", () -> closed.add("first"));
    lifecycle.add(
        "failing",
        () -> {
          throw new NoClassDefFoundError("expected by the test");
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
  void opening_underWayAtTheEnd_isInterruptedAndWhatItOpenedIsClosed() throws Exception {
    Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(5));
    CountDownLatch under = new CountDownLatch(1);
    Thread opener =
        new Thread(
            () ->
                lifecycle.open(
                    "slow",
                    () -> {
                      under.countDown();
                      awaitInterrupt();
                      return () -> closed.add("slow");
                    }));
    opener.start();
    under.await();

    lifecycle.close();

    assertThat(closed).containsExactly("slow");
    opener.join();
  }

  @Test
  void opening_thatFails_leavesNothingToClose() {
    Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(5));
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                lifecycle.open(
                    "failing",
                    () -> {
                      throw new IllegalStateException("expected by the test");
                    }));

    lifecycle.close();

    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void opening_afterTheEnd_isNotBegun() {
    Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(5));
    lifecycle.close();

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                lifecycle.open(
                    "late",
                    () -> {
                      closed.add("opened");
                      return () -> closed.add("closed");
                    }));
    assertThat(closed).isEmpty();
  }

  @Test
  void waiting_endsWhenStopped() throws Exception {
    Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(5));
    assertThat(lifecycle.awaitStop(Duration.ZERO)).isFalse();
    lifecycle.stop();
    lifecycle.awaitStop();
    assertThat(lifecycle.awaitStop(Duration.ZERO)).isTrue();
    lifecycle.close();
  }

  private static void awaitInterrupt() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      // Event that the test waits for.
    }
  }
}
