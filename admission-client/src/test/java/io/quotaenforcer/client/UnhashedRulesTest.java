package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.hash.HashKey;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UnhashedRulesTest {
  private static final Rule CLEAR =
      Rule.of(new RuleId("other", "clear"), List.of("email"), new FixedWindow(1, 1_000_000_000L));
  private static final Rule HASHING =
      Rule.of(new RuleId("accounts", "per-email"), List.of(), CLEAR.limit())
          .withKey(new RuleKey(List.of(KeyAttribute.hashed("email"))));

  @RegisterExtension final CapturedLog log = new CapturedLog(AdmissionClient.class);
  private final AllotmentBook book = new AllotmentBook(BookSettings.defaults(), 4, 0);
  private final UnhashedRules unhashed = new UnhashedRules(book);

  @Test
  void rule_thatCannotHash_isSaidOnce_untilItCan() {
    book.applyRules(RuleSet.of(List.of(HASHING)), 0);
    unhashed.look();
    unhashed.look();
    assertThat(log.said())
        .hasSize(1)
        .first()
        .asString()
        .startsWith("ERROR rule accounts/per-email hashes [email], and this client has no key")
        .contains("hash.keys.file");

    book.hashBy(HashKeys.of(List.of(new HashKey("k", new byte[32]))));
    unhashed.look();
    assertThat(log.said()).hasSize(1);
    book.hashBy(HashKeys.NONE);
    unhashed.look();
    assertThat(log.said()).hasSize(2);
  }

  @Test
  void rule_thatCountsInTheClearWhatAnotherHashes_isSaid() {
    book.hashBy(HashKeys.of(List.of(new HashKey("k", new byte[32]))));
    book.applyRules(RuleSet.of(List.of(CLEAR)), 0);
    unhashed.look();
    assertThat(log.said()).isEmpty();

    book.applyRules(RuleSet.of(List.of(HASHING, CLEAR)), 0);
    unhashed.look();
    unhashed.look();

    assertThat(log.said())
        .hasSize(1)
        .first()
        .asString()
        .startsWith("WARN rule other/clear counts by [email] in the clear");
  }
}
