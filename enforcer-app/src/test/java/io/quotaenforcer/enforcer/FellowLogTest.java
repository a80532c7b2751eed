package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.logging.CapturedLog;
import io.quotaenforcer.enforcer.query.EnforcersQuery.Gone;
import io.quotaenforcer.enforcer.query.NotReadyException;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FellowLogTest {
  private static final long SECOND = 1_000_000_000L;
  private static final URI A = URI.create("http://10.0.0.1:8089");
  private static final URI B = URI.create("http://10.0.0.2:8089");

  @RegisterExtension final CapturedLog log = new CapturedLog(FellowLog.class);
  private List<URI> there = List.of(A, B);
  private boolean starts;
  private long nanos;
  private final FellowLog fellows =
      new FellowLog(
          () -> {
            if (starts) {
              throw new NotReadyException("the enforcer starts or stops: REBALANCING");
            }
            return there;
          },
          () -> nanos);

  private void look(URI... now) {
    there = List.of(now);
    nanos += SECOND;
    fellows.look();
  }

  @Test
  void enforcerThatGoes_isSaidOnce_andRememberedUntilItIsBack() {
    look(A, B);
    look(A);
    look(A);
    assertThat(fellows.gone()).containsExactly(new Gone(B, 1));
    look(A, B);
    assertThat(fellows.gone()).isEmpty();
    assertThat(log.said())
        .containsExactly(
            "WARN http://10.0.0.2:8089 does not share the work any more; who does:"
                + " [http://10.0.0.1:8089]",
            "INFO http://10.0.0.2:8089 shares the work now; all who do: [http://10.0.0.1:8089,"
                + " http://10.0.0.2:8089]");
  }

  @Test
  void noAnswer_isNobodysEnd() {
    look(A, B);
    starts = true;
    look(A);
    starts = false;
    look();
    look(A, B);
    assertThat(fellows.gone()).isEmpty();
    assertThat(log.said()).isEmpty();
  }

  @Test
  void enforcerThatWent_isForgottenAfterAnHour_andOfMany_aHundredAreRemembered() {
    URI[] many =
        Stream.concat(
                Stream.of(A),
                IntStream.range(0, 150).mapToObj(i -> URI.create("http://10.0.1." + i + ":8089")))
            .toArray(URI[]::new);
    look(many);
    look(A);
    assertThat(fellows.gone()).hasSize(100);
    nanos += 3_601 * SECOND;
    look(A);
    assertThat(fellows.gone()).isEmpty();
  }
}
