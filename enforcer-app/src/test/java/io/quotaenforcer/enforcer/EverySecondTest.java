package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.logging.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EverySecondTest {
  @RegisterExtension final CapturedLog log = new CapturedLog(EverySecond.class);
  private boolean fails;
  private int looks;
  private final EverySecond thread =
      new EverySecond(
          "quota-test",
          () -> {
            looks++;
            if (fails) {
              throw new IllegalStateException("as a test wants");
            }
          });

  private void look(boolean failing) {
    fails = failing;
    thread.lookOnce();
  }

  @Test
  void look_thatFails_isSaidOnceInARow_andTheNextIsMade() {
    look(true);
    look(true);
    assertThat(log.said()).containsExactly("ERROR a look of quota-test failed; it goes on");
    look(false);
    look(true);

    assertThat(looks).isEqualTo(4);
    assertThat(log.said()).hasSize(2);
  }
}
