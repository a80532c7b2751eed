package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.GivenUp;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Requests that are made so that a rule might not see them, at a client. */
class AwkwardRequestTest {
  private static final Rule RULE = balanced(new FixedWindow(2, 60 * SECOND));
  private static final Rule OF_PATH =
      RULE.withMatch(Map.of("api", new Matcher.Regex(Pattern.compile("GET /(a+)+b?"))));
  private static final Rule WITHOUT_BOTS =
      RULE.withOverrides(
          List.of(
              new RuleOverride(
                  Map.of("user", new Matcher.Prefix("bot-")), new OverrideEffect.Denied())));

  @Test
  void decide_paddedPath_isLimited_andCounted_withoutTheValue() {
    TestBook client = new TestBook(OF_PATH);
    int admitted = 0;
    for (int i = 0; i < 10; i++) {
      Request request = Request.of("user", "42", "api", "GET /" + "a".repeat(20_000));
      admitted += client.book.decide(request, client.now).admitted() ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(2);
    assertThat(client.book.takeGivenUp()).containsExactly(Map.entry(givenUp("api"), 10L));
    assertThat(client.book.takeGivenUp()).isEmpty();
  }

  @Test
  void decide_pathThatIsTriedToTheEnd_isNotCounted() {
    TestBook client = new TestBook(OF_PATH);
    client.book.decide(Request.of("user", "42", "api", "GET /aab"), client.now);
    client.book.decide(Request.of("user", "42", "api", "GET /c"), client.now);
    assertThat(client.book.takeGivenUp()).isEmpty();
  }

  @Test
  void decide_longValueOfADeniedPattern_isThrottledForGood_whoeverAsks() {
    TestBook client = new TestBook(WITHOUT_BOTS);
    String bot = "bot-" + "x".repeat(5_000);
    Decision decision = client.decide(bot, 1);
    assertThat(decision.admitted()).isFalse();
    assertThat(decision.rule().orElseThrow().isDenied()).isTrue();
    QuotaKey key = WITHOUT_BOTS.quotaKeyOf(List.of(bot));
    assertThat(client.book.permits(WITHOUT_BOTS, key).tryAcquire(1, client.now)).isFalse();
    assertThat(client.decide("x".repeat(5_000), 1).admitted()).isTrue();
  }

  @Test
  void reports_longValuesOfADeniedPattern_areOfOneKey_andAskForNothing() {
    TestBook client = new TestBook(WITHOUT_BOTS);
    for (int i = 0; i < 50; i++) {
      client.decide("bot-" + i + "x".repeat(300), 1);
    }
    assertThat(client.book.size()).isEqualTo(1);
    for (QuotaUsage usage : client.reports()) {
      assertThat(WITHOUT_BOTS.denies(QuotaKey.parse(usage.quotaKey().toString()))).isTrue();
      assertThat(usage.demandPerSecond()).isZero();
    }
  }

  @Test
  void decide_denialThatIsGoneOrComes_holdsFromThenOn() {
    String bot = "bot-" + "x".repeat(300);
    TestBook client = new TestBook(WITHOUT_BOTS);
    assertThat(client.decide(bot, 1).admitted()).isFalse();
    client.apply(RULE.withVersion(2, 1));
    assertThat(client.decide(bot, 1).admitted()).isTrue();
    client.apply(WITHOUT_BOTS.withVersion(3, 1));
    assertThat(client.decide(bot, 1).admitted()).isFalse();
  }

  private static GivenUp givenUp(String attribute) {
    return new GivenUp(RULE.id(), attribute);
  }
}
