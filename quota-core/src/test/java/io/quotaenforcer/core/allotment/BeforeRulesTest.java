package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions before there are rules. */
class BeforeRulesTest {
  private static final Request REQUEST = Request.of("user", "42");
  private static final Request OF_API = Request.of("api", "posts");
  private static final Rule API =
      Rule.of(new RuleId("posts", "per-api"), List.of("api"), new FixedWindow(1, 1_000_000_000L));
  private static final long NOW = 1_000_000_000L;

  private final AllotmentBook book = new AllotmentBook(BookSettings.defaults(), 4, 0);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyWayToDecide_beforeTheRules_saysSoAndDoesAsItIsTold(boolean admits) {
    Decision.NotReady answer = new Decision.NotReady(admits);
    book.beforeRules(answer);

    assertThat(book.decide(REQUEST, NOW)).isEqualTo(answer);
    assertThat(book.tryAcquire(REQUEST, NOW)).isEqualTo(admits);
    assertThat(book.charge(REQUEST, NOW).decision()).isEqualTo(answer);
    assertThat(book.charge(REQUEST, NOW).charged()).isZero();
    assertThat(book.decideOrWait(new WaitingRequest(REQUEST, NOW), NOW)).isEqualTo(answer);
    assertThat(answer.rules()).isEmpty();
    assertThat(answer.rule()).isEmpty();
    assertThat(answer.retryAfter()).isEmpty();
    assertThat(answer.neverAdmitted()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void request_rulesAreKnownAndNoneMatches_isUnmatched(boolean admits) {
    book.beforeRules(new Decision.NotReady(admits));

    book.applyRules(RuleSet.of(List.of()), NOW);

    assertThat(book.decide(REQUEST, NOW)).isEqualTo(new Decision.Unmatched());
    assertThat(book.tryAcquire(REQUEST, NOW)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void request_aRuleIsNotKnown_isAnsweredAsBeforeTheRules(boolean admits) {
    Decision.NotReady answer = new Decision.NotReady(admits);
    book.beforeRules(answer);
    assertThat(book.awaitsRules()).isTrue();

    boolean inForce = book.applyIncomplete(RuleSet.of(List.of(API)), NOW);

    assertThat(inForce).isEqualTo(admits);
    assertThat(book.awaitsRules()).isFalse();
    assertThat(book.decide(REQUEST, NOW)).isEqualTo(answer);
  }

  @Test
  void requestOfAKnownRule_anotherIsNotKnownAndRequestsAreRefusedUntilThen_isRefused() {
    book.beforeRules(new Decision.NotReady(false));
    book.applyRules(RuleSet.of(List.of(API)), NOW);
    assertThat(book.decide(OF_API, NOW).admitted()).isTrue();

    book.applyIncomplete(RuleSet.of(List.of(API)), NOW);

    assertThat(book.decide(OF_API, NOW)).isEqualTo(new Decision.NotReady(false));
    book.applyRules(RuleSet.of(List.of(API)), NOW);
    assertThat(book.decide(REQUEST, NOW)).isEqualTo(new Decision.Unmatched());
  }

  @Test
  void requestOfAKnownRule_anotherIsNotKnownAndRequestsAreAdmittedUntilThen_hasALimit() {
    book.beforeRules(new Decision.NotReady(true));

    book.applyIncomplete(RuleSet.of(List.of(API)), NOW);

    assertThat(book.decide(OF_API, NOW)).isInstanceOf(Decision.Admitted.class);
    assertThat(book.decide(OF_API, NOW)).isInstanceOf(Decision.Throttled.class);
  }
}
