package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.enforcer.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What commands say of a change that was written, or may have been. */
@Timeout(30)
class UnsureWritesTest {
  @Test
  void writeThatFailed_mayHaveChangedSomethingAllTheSame() {
    CommandException one = PrefixTopics.unsure(FailedBrokers.failure(), 1);
    CommandException some = PrefixTopics.unsure(FailedBrokers.failure(), 2);

    assertThat(one.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(one)
        .hasMessageStartingWith(FailedBrokers.MESSAGE)
        .hasMessageEndingWith("; it may have been changed all the same: look before you repeat it");
    assertThat(some)
        .hasMessageEndingWith(
            "; it may have been changed all the same, for some or for all: look before you repeat"
                + " it");
  }

  @Test
  void redriveThatFailed_saysHowFarItGot() {
    assertThat(DeadLettersRedriveCommand.howFar(100, 1_250, false))
        .isEqualTo(
            "100 of 1,250 letters were redriven for sure; run it again: it leaves out those that"
                + " were");
    assertThat(DeadLettersRedriveCommand.howFar(0, 3, true))
        .startsWith("0 of 3 letters were redriven for sure; with --again they would be redriven")
        .doesNotContain("run it again");
    assertThat(DeadLettersRedriveCommand.tooMany(70_000))
        .startsWith("70,000 letters are selected, and one run takes 50,000 at most")
        .contains("nothing was written", "--until");
  }

  @Test
  void penaltyThatIsToBeLifted_isNotSaidToBe() {
    assertThat(PenaltiesLiftCommand.asked(QuotaKey.parse("logins/per-account/mallory")))
        .isEqualTo(
            "logins/per-account/mallory: asked to be without a penalty; quota penalties list --rule"
                + " logins/per-account shows whether it is");
  }
}
