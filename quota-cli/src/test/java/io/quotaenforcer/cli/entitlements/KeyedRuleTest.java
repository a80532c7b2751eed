package io.quotaenforcer.cli.entitlements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.hash.HashKeyText;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyedRuleTest {
  private static final RuleId ID = new RuleId("logins", "per-email-and-phone");
  private static final HashKeys BOTH =
      HashKeyText.parse(
          HashKeyText.write("old", new byte[32]) + "\n" + HashKeyText.write("new", new byte[33]));
  private static final HashKeys OTHER = HashKeyText.parse(HashKeyText.write("other", new byte[34]));
  private static final String EMAIL = "ann@example.com";
  private static final String PHONE = "+15550100";
  private static final Rule RULE =
      Rule.of(ID, List.of("email", "phone", "plan"), new FixedWindow(9, 1_000_000_000L))
          .withKey(
              new RuleKey(
                  List.of(
                      KeyAttribute.hashed("email"),
                      KeyAttribute.hashed("phone"),
                      KeyAttribute.of("plan"))));

  /** The quota key by the older or the newer hash key. */
  private static QuotaKey key(int index) {
    return QuotaKey.of(
        ID, List.of(BOTH.texts(EMAIL).get(index), BOTH.texts(PHONE).get(index), "free"));
  }

  private static List<QuotaKey> keys(HashKeys hashKeys, String email, String phone) {
    return new KeyedRule(RULE, hashKeys).keysOf(List.of(email, phone, "free"));
  }

  @Test
  void values_inTheClear_areHashedByEachKey() {
    assertThat(keys(BOTH, EMAIL, PHONE)).containsExactly(key(0), key(1));
  }

  @Test
  void hashes_needNoKeys() {
    String email = BOTH.texts(EMAIL).get(1);
    String phone = BOTH.texts(PHONE).get(1);

    assertThat(keys(HashKeys.NONE, email, phone)).containsExactly(key(1));
  }

  @Test
  void hashBesideAValueInTheClear_isTakenAsItIs() {
    for (int i = 0; i < 2; i++) {
      assertThat(keys(BOTH, BOTH.texts(EMAIL).get(i), PHONE)).containsExactly(key(i));
      assertThat(keys(BOTH, EMAIL, BOTH.texts(PHONE).get(i))).containsExactly(key(i));
    }
  }

  @Test
  void hashBesideAValueInTheClear_byAKeyThatIsNotGiven_isRefused() {
    String email = BOTH.texts(EMAIL).get(0);
    for (HashKeys hashKeys : List.of(HashKeys.NONE, OTHER)) {
      assertThatThrownBy(() -> keys(hashKeys, email, PHONE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "the rule hashes all of email, phone by one key: give the keys of the services, with"
                  + " the one of the hash, or each as its hash");
    }
  }
}
