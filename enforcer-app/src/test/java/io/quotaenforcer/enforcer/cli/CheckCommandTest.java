package io.quotaenforcer.enforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.PermitSource;
import org.junit.jupiter.api.Test;

final class CheckCommandTest {
  @Test
  void source_ofPermits_isSaidInWords() {
    assertThat(CheckCommand.how(PermitSource.GRANTED, false)).isEqualTo(" (granted)");
    assertThat(CheckCommand.how(PermitSource.OPENING, false))
        .isEqualTo(" (opened by its own count)");
    assertThat(CheckCommand.how(PermitSource.DEGRADED, true)).isEqualTo(" (the enforcer is away)");
  }

  @Test
  void source_ofAThrottledRequest_isNone() {
    assertThat(CheckCommand.how(PermitSource.NONE, false)).isEmpty();
    assertThat(CheckCommand.how(PermitSource.NONE, true)).isEqualTo(" (the enforcer is away)");
  }

  @Test
  void source_grantedBeforeTheEnforcerWentAway_saysBoth() {
    assertThat(CheckCommand.how(PermitSource.GRANTED, true))
        .isEqualTo(" (granted; the enforcer is away)");
  }
}
