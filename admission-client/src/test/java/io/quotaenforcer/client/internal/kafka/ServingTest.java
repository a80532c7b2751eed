package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.QuotaKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What serving one key makes due comes after it. */
class ServingTest {
  private static final QuotaKey FIRST = QuotaKey.parse("posts/slots/1");
  private static final QuotaKey SECOND = QuotaKey.parse("posts/slots/2");

  private final List<String> steps = new ArrayList<>();

  @Test
  void key_thatIsDueWhileOneIsServed_isServedAfterIt_once() {
    Serving[] serving = new Serving[1];
    serving[0] =
        new Serving(
            (key, now) -> {
              steps.add("begin " + key + " at " + now);
              if (now < 2) {
                serving[0].serve(SECOND, now + 1);
                serving[0].serve(FIRST, now + 1);
                serving[0].serve(SECOND, now + 2);
              }
              steps.add("end " + key);
            });

    serving[0].serve(FIRST, 1);

    assertThat(steps)
        .containsExactly(
            "begin posts/slots/1 at 1",
            "end posts/slots/1",
            "begin posts/slots/2 at 3",
            "end posts/slots/2",
            "begin posts/slots/1 at 2",
            "end posts/slots/1");
  }

  @Test
  void threads_serveForThemselves() throws InterruptedException {
    Serving[] serving = new Serving[1];
    serving[0] =
        new Serving(
            (key, now) -> {
              steps.add(key + " by " + Thread.currentThread().getName());
              if (key.equals(FIRST)) {
                runElsewhere(() -> serving[0].serve(SECOND, now));
              }
            });
    Thread.currentThread().setName("test");

    serving[0].serve(FIRST, 1);

    assertThat(steps).containsExactly("posts/slots/1 by test", "posts/slots/2 by elsewhere");
  }

  @Test
  void serving_thatFails_leavesNothingBehind() {
    Serving[] serving = new Serving[1];
    serving[0] =
        new Serving(
            (key, now) -> {
              steps.add(key.toString());
              if (key.equals(FIRST)) {
                serving[0].serve(SECOND, now);
                throw new IllegalStateException("a defect");
              }
            });

    assertThatThrownBy(() -> serving[0].serve(FIRST, 1)).hasMessage("a defect");
    serving[0].serve(SECOND, 2);

    assertThat(steps).containsExactly("posts/slots/1", "posts/slots/2");
  }

  private static void runElsewhere(Runnable step) {
    Thread thread = new Thread(step, "elsewhere");
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
