package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.hash.HashKey;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.match.AddressCut;
import io.quotaenforcer.core.match.Glob;
import io.quotaenforcer.core.match.Matcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rules that hash values. */
class HashedRuleTest {
  private static final String EMAIL = "ann@example.com";
  private static final RuleId ID = new RuleId("accounts", "per-email");
  private static final HashKey OLD = new HashKey("old", new byte[32]);
  private static final HashKey NEW = new HashKey("new", new byte[33]);
  private static final HashKeys ONE = HashKeys.of(List.of(OLD));
  private static final HashKeys BOTH = HashKeys.of(List.of(OLD, NEW));
  private static final Rule RULE =
      Rule.of(ID, List.of(), new FixedWindow(3, 1_000_000_000L))
          .withKey(new RuleKey(List.of(KeyAttribute.hashed("email"), KeyAttribute.of("plan"))));
  private static final Request REQUEST = Request.of("email", EMAIL, "plan", "free");

  private static QuotaKey key(HashKey by) {
    return QuotaKey.of(ID, List.of(by.text(EMAIL), "free"));
  }

  private static List<QuotaKey> keys(CountedUnder counted) {
    return ((CountedUnder.Keys) counted).all();
  }

  @Test
  void countedUnder_oneKey_isTheHash_andShowsNothingElse() {
    List<QuotaKey> all = keys(RULE.countedUnder(REQUEST, ONE));

    assertThat(all).containsExactly(key(OLD));
    assertThat(all.get(0).toString())
        .isEqualTo("accounts/per-email/" + OLD.text(EMAIL) + "/free")
        .doesNotContain("ann");
    assertThat(keys(RULE.countedUnder(List.of(EMAIL, "free"), ONE))).isEqualTo(all);
    assertThat(RULE.quotaKey(REQUEST, ONE)).contains(key(OLD));
  }

  @Test
  void countedUnder_twoKeys_isBoth() {
    assertThat(keys(RULE.countedUnder(REQUEST, BOTH))).containsExactly(key(OLD), key(NEW));
  }

  @Test
  void countedUnder_noKey_saysWhichAttributeIsInTheClear() {
    assertThat(RULE.countedUnder(REQUEST, HashKeys.NONE))
        .isEqualTo(new CountedUnder.InTheClear("email"));
    assertThat(RULE.countedUnder(Request.received(REQUEST.attributes(), 1), HashKeys.NONE))
        .isEqualTo(new CountedUnder.InTheClear("email"));
    assertThat(keys(RULE.countedUnder(Request.of("plan", "free"), HashKeys.NONE))).isEmpty();
  }

  @Test
  void countedUnder_whatAnotherProcessHashed_needsNoKey() {
    Request sent = BOTH.leaving(REQUEST, Set.of("email"));

    assertThat(keys(RULE.countedUnder(sent, HashKeys.NONE))).containsExactly(key(OLD), key(NEW));
    assertThat(keys(RULE.countedUnder(ONE.leaving(REQUEST, Set.of("email")), BOTH)))
        .as("counts under what its sender knew")
        .containsExactly(key(OLD));
  }

  @Test
  void countedUnder_twoHashedAttributes_areByTheSameKeyEach() {
    Rule rule =
        RULE.withKey(
            new RuleKey(List.of(KeyAttribute.hashed("email"), KeyAttribute.hashed("plan"))));

    assertThat(keys(rule.countedUnder(REQUEST, BOTH)))
        .extracting(QuotaKey::values)
        .containsExactly(
            List.of(OLD.text(EMAIL), OLD.text("free")), List.of(NEW.text(EMAIL), NEW.text("free")));
    Request mixed = Request.received(Map.of("email", OLD.text(EMAIL), "plan", NEW.text("free")), 1);
    assertThat(rule.countedUnder(mixed, HashKeys.NONE)).isInstanceOf(CountedUnder.InTheClear.class);
  }

  @Test
  void overrides_areForHashes_andAnExemptionByEitherKeyHolds() {
    Rule rule =
        RULE.withOverrides(
            List.of(
                new RuleOverride(
                    Map.of("email", new Matcher.Exact(NEW.text(EMAIL))),
                    new OverrideEffect.Exempt())));

    assertThat(keys(rule.countedUnder(REQUEST, BOTH))).isEmpty();
    assertThat(keys(rule.countedUnder(REQUEST, ONE))).containsExactly(key(OLD));
    assertThat(rule.overrideOf(REQUEST, BOTH)).isPresent();
    assertThat(rule.overrideOf(REQUEST, ONE)).isEmpty();
  }

  @Test
  void quotaKeyOf_valuesOfAnOperator_areHashesOrRefused_withoutBeingQuoted() {
    assertThat(RULE.quotaKeyOf(List.of(OLD.text(EMAIL), "free"))).isEqualTo(key(OLD));
    assertThatThrownBy(() -> RULE.quotaKeyOf(List.of(EMAIL, "free")))
        .hasMessage("must be a hash, as `quota hash` prints it: the value of email");
    assertThatThrownBy(() -> RULE.quotaKeyOf(List.of(EMAIL)))
        .hasMessage("must be the values of [email, plan]: keyValues has 1");
  }

  /** Conditions are tried where the value is, and quota keys leave. */
  @Test
  void match_conditionOnTheHashedAttribute_seesTheValueInTheClear() {
    Rule condition =
        RULE.withMatch(Map.of("email", new Matcher.Wildcard(Glob.parse("*@example.com"))));
    RuleSet set = RuleSet.of(List.of(condition));
    List<String> clear = new ArrayList<>();

    assertThat(set.match(REQUEST, ONE, RuleSet.Notes.NONE))
        .extracting(RuleSet.Match::quotaKey)
        .containsExactly(key(OLD));
    set.match(REQUEST, HashKeys.NONE, new Clear(clear));
    assertThat(clear).containsExactly("accounts/per-email email");
    assertThat(set.match(ONE.leaving(REQUEST, Set.of("email")))).isEmpty();
    assertThat(set.hashed()).containsExactly("email");
  }

  private record Clear(List<String> to) implements RuleSet.Notes {
    @Override
    public void unsure(RuleId rule, String attribute) {
      throw new AssertionError("nothing is unsure: " + rule);
    }

    @Override
    public void inTheClear(Rule rule, String attribute) {
      to.add(rule.id() + " " + attribute);
    }
  }

  @Test
  void match_twoKeys_isTwoOfTheSameRuleBesideEachOther() {
    Rule other = Rule.of(new RuleId("accounts", "a"), List.of("plan"), RULE.limit());

    assertThat(RuleSet.of(List.of(RULE, other)).match(REQUEST, BOTH, RuleSet.Notes.NONE))
        .extracting(match -> match.rule().id().id())
        .containsExactly("a", "per-email", "per-email");
  }

  @Test
  void hash_countsAnew_andNotBesideACut() {
    assertThat(RULE.startsNewGenerationAfter(RULE.withKey(RuleKey.of("email", "plan")))).isTrue();
    assertThatThrownBy(() -> new KeyAttribute("ip", Optional.of(AddressCut.WHOLE), true))
        .hasMessage("must be hashed or taken by its network, not both: keyAttribute=ip");
  }
}
