package io.quotaenforcer.enforcer.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is said of a group of enforcers that has no offsets. */
class ForgottenOffsetsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(8);

  @Test
  void whereNothingWasCountedBefore_thereIsNothingToSay() {
    assertThat(ForgottenOffsets.complaint(CommittedRecord.NONE, "quota", PATIENCE)).isEmpty();
  }

  @Test
  void whereSomethingWas_theOffsetsAreToBeSet() {
    assertThat(ForgottenOffsets.complaint(CommittedRecord.THERE, "quota", PATIENCE))
        .hasValueSatisfying(
            said ->
                assertThat(said)
                    .startsWith("nobody knows any more how far the enforcers had read")
                    .contains("--group quota --reset-offsets"));
  }

  @Test
  void whereThatIsNotKnown_itIsSaid_withWhatToDo() {
    assertThat(ForgottenOffsets.complaint(CommittedRecord.NOT_KNOWN, "quota", PATIENCE))
        .hasValueSatisfying(
            said ->
                assertThat(said)
                    .startsWith("cannot tell whether the brokers forgot how far the enforcers had")
                    .contains("nothing more came for 8 s")
                    .contains("--connect-timeout ($QUOTA_CONNECT_TIMEOUT)"));
  }
}
