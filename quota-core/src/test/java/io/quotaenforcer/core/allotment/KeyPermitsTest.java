package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.allotment.KeyPermits.Coarse;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import org.junit.jupiter.api.Test;

class KeyPermitsTest {
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);

  private static KeyPermits permits(TestBook client, Rule rule) {
    return client.book.permits(rule, key("rule", "42"));
  }

  @Test
  void coarse_balancedRule_isDecidedOnceTheKeyIsFound() {
    TestBook client = new TestBook(balanced(LIMIT));
    KeyPermits permits = permits(client, balanced(LIMIT));

    assertThat(permits.tryAcquireCoarse(1, client.now)).isEqualTo(Coarse.NOT_DECIDED);
    assertThat(permits.tryAcquire(1, client.now)).isTrue();
    client.granted(client.grant(LIMIT, 5, 2));

    assertThat(permits.tryAcquireCoarse(1, client.now)).isEqualTo(Coarse.ADMITTED);
    assertThat(permits.tryAcquireCoarse(1, client.now)).isEqualTo(Coarse.ADMITTED);
    assertThat(permits.tryAcquireCoarse(1, client.now)).isEqualTo(Coarse.THROTTLED);
    client.passes(20 * TestBook.MILLI);
    assertThat(client.openCell(5).throttled()).as("is counted").isOne();
  }

  @Test
  void coarse_strictRule_isNeverDecided() {
    TestBook client = new TestBook(strict(LIMIT));
    KeyPermits permits = permits(client, strict(LIMIT));
    permits.tryAcquire(1, client.now);
    client.granted(client.grant(LIMIT, 5, 2));
    assertThat(permits.tryAcquire(1, client.now)).isTrue();

    assertThat(permits.tryAcquireCoarse(1, client.now)).isEqualTo(Coarse.NOT_DECIDED);
  }

  @Test
  void coarse_ruleThatBecameStrict_isNotDecided() {
    TestBook client = new TestBook(balanced(LIMIT));
    KeyPermits permits = permits(client, balanced(LIMIT));
    permits.tryAcquire(1, client.now);
    client.granted(client.grant(LIMIT, 5, 2));

    client.apply(strict(LIMIT).withVersion(2, 1));

    assertThat(permits.tryAcquireCoarse(1, client.now)).isEqualTo(Coarse.NOT_DECIDED);
    assertThat(permits.tryAcquire(1, client.now)).isFalse();
    assertThat(permits.tryAcquireCoarse(1, client.now)).isEqualTo(Coarse.NOT_DECIDED);
  }

  @Test
  void tryAcquire_ruleThatBecameAShadow_isAdmitted() {
    TestBook client = new TestBook(strict(LIMIT));
    KeyPermits permits = permits(client, strict(LIMIT));
    assertThat(permits.tryAcquire(1, client.now)).isFalse();

    client.apply(strict(LIMIT).withMode(Mode.SHADOW).withVersion(2, 1));

    assertThat(permits.tryAcquire(1, client.now)).isTrue();
  }

  @Test
  void charge_beyondWhatIsAtHand_isOwed_andPaidByWhatIsGrantedNext() {
    TestBook client = new TestBook(strict(LIMIT));
    KeyPermits permits = permits(client, strict(LIMIT));
    permits.tryAcquire(1, client.now);
    client.granted(client.grant(LIMIT, 5, 2));

    permits.charge(2, client.now);
    permits.charge(3, client.now);

    assertThat(permits.tryAcquire(1, client.now)).isFalse();
    assertThat(permits.decide(1, client.now).rule().orElseThrow().owed()).isEqualTo(3);
  }

  @Test
  void charge_ofAShadow_owesNothing() {
    Rule shadow = strict(LIMIT).withMode(Mode.SHADOW);
    TestBook client = new TestBook(shadow);
    KeyPermits permits = permits(client, shadow);

    permits.charge(3, client.now);

    assertThat(permits.decide(1, client.now).rule().orElseThrow().owed()).isZero();
  }

  @Test
  void permits_lessThanOne_areRefused() {
    TestBook client = new TestBook(balanced(LIMIT));
    KeyPermits permits = permits(client, balanced(LIMIT));

    assertThatIllegalArgumentException().isThrownBy(() -> permits.tryAcquire(0, client.now));
    assertThatIllegalArgumentException().isThrownBy(() -> permits.tryAcquireCoarse(-1, client.now));
  }
}
