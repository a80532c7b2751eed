package io.quotaenforcer.languages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The clients pass their own tests. */
@Timeout(900)
class ClientsIT {
  private static final Pattern PASSED = Pattern.compile("# pass (\\d+)|Ran (\\d+) tests");

  @ParameterizedTest
  @EnumSource
  void ownTests_pass(Language language) throws Exception {
    language.prepare();

    Program tests = language.runOwnTests();

    assertThat(tests.exitCode()).as(tests.output()).isZero();
    Matcher passed = PASSED.matcher(tests.output());
    assertThat(passed.find()).as(tests.output()).isTrue();
    int count = Integer.parseInt(passed.group(1) != null ? passed.group(1) : passed.group(2));
    assertThat(count).isGreaterThan(10);
    assertThat(tests.output()).doesNotContain("skipped=");
  }
}
