package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.match.Matcher;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ElasticTest {
  private static final long SECOND = 1_000_000_000L;
  private static final RuleId USERS = new RuleId("d", "per-user");
  private static final RuleId BORROWED = new RuleId("d", "per-user.borrowed");
  private static final RuleId ALL = new RuleId("d", "all");
  private static final Elastic THREE_TIMES = new Elastic("all", 30_000);

  private final Rule users = Rule.of(USERS, List.of("user"), new FixedWindow(10, SECOND));
  private final Rule pool = Rule.of(ALL, List.of(), new FixedWindow(100, SECOND));
  private final Rule elastic = users.withElastic(THREE_TIMES);

  @Test
  void borrowing_countsByALimitThatAddsUpToTheWhole() {
    RuleSet.Borrowing borrowing = RuleSet.of(List.of(elastic, pool)).borrowing(USERS);

    assertThat(borrowing).isNotNull();
    assertThat(borrowing.pool()).isEqualTo(ALL);
    assertThat(borrowing.rule().id()).isEqualTo(BORROWED);
    assertThat(borrowing.rule().limit()).isEqualTo(new FixedWindow(20, SECOND));
    assertThat(borrowing.rule().elastic()).isEmpty();
    assertThat(borrowing.rule().onUnavailable()).isEqualTo(OnUnavailable.DENY);
  }

  @Test
  void borrowing_ofABucket_lendsOfItsBurstAsWell() {
    Rule bucket =
        Rule.of(USERS, List.of("user"), new TokenBucket(10, SECOND, 50)).withElastic(THREE_TIMES);

    RuleSet.Borrowing borrowing = RuleSet.of(List.of(bucket, pool)).borrowing(USERS);

    assertThat(borrowing).isNotNull();
    assertThat(borrowing.rule().limit()).isEqualTo(new TokenBucket(20, SECOND, 100));
  }

  @Test
  void borrowing_withOverrides_followsThem_andDeniesWhoIsDenied() {
    Rule overridden =
        elastic.withOverrides(
            List.of(
                RuleOverride.limited(Map.of("user", "vip"), new FixedWindow(100, SECOND)),
                RuleOverride.limited(Map.of("user", "none"), new FixedWindow(0, SECOND)),
                RuleOverride.denied(Map.of("user", "bad"))));

    RuleSet.Borrowing borrowing = RuleSet.of(List.of(overridden, pool)).borrowing(USERS);

    assertThat(borrowing).isNotNull();
    Rule by = borrowing.rule();
    assertThat(by.limitOf(QuotaKey.of(BORROWED, List.of("vip"))).permits()).isEqualTo(200);
    assertThat(by.denies(QuotaKey.of(BORROWED, List.of("none")))).isTrue();
    assertThat(by.denies(QuotaKey.of(BORROWED, List.of("bad")))).isTrue();
  }

  @Test
  void ruleSet_poolOfOthers_hasAClassForThoseWhoBorrow_butIsDeclaredWithout() {
    RuleSet rules = RuleSet.of(List.of(elastic, pool));

    DemandClasses ofPool = rules.rule(ALL).orElseThrow().classes();
    assertThat(ofPool.all()).containsExactly(DemandClass.NOMINAL, DemandClass.BORROWED);
    assertThat(ofPool.lends()).isTrue();
    assertThat(rules.rules()).extracting(Rule::id).containsExactly(ALL, USERS);
    assertThat(rules.rule(BORROWED)).isPresent();
    assertThat(rules.rule(USERS).orElseThrow().classes().lends()).isFalse();
    assertThat(rules.declared()).containsExactly(pool, elastic);
    assertThat(rules.match(Request.of("user", "u"))).hasSize(2);
  }

  @Test
  void ruleSet_nobodyBorrowsAnyMore_takesTheClassAway() {
    RuleSet rules = RuleSet.of(List.of(elastic, pool)).with(users);

    assertThat(rules.rule(ALL)).contains(pool);
    assertThat(rules.rule(BORROWED)).isEmpty();
    assertThat(rules.borrowing(USERS)).isNull();
  }

  @Test
  void classes_thatLend_putNoRequestIntoTheBorrowedOneByItself() {
    DemandClasses declared =
        new DemandClasses(
            List.of(
                DemandClass.of("first", Map.of("a", new Matcher.Any())),
                DemandClass.of("second", Map.of("b", new Matcher.Any()))));

    DemandClasses lending = declared.withBorrowed();

    assertThat(lending.size()).isEqualTo(3);
    assertThat(lending.withBorrowed()).isSameAs(lending);
    assertThat(lending.of(Map.of())).isEqualTo(1);
    assertThat(lending.lastDeclared()).isEqualTo(1);
    assertThat(lending.last()).isEqualTo(2);
  }

  @Test
  void borrowing_whereItCannotBe_isNone() {
    Rule other = Rule.of(BORROWED, List.of(), new FixedWindow(1, SECOND));
    Rule eight =
        pool.withClasses(
            new DemandClasses(
                IntStream.range(0, DemandClasses.MAX)
                    .mapToObj(i -> DemandClass.of("c" + i, Map.of()))
                    .toList()));

    assertThat(RuleSet.of(List.of(elastic)).borrowing(USERS)).isNull();
    assertThat(RuleSet.of(List.of(elastic, pool, other)).borrowing(USERS)).isNull();
    assertThat(RuleSet.of(List.of(elastic, eight)).borrowing(USERS)).isNull();
    assertThat(borrowsOf(pool.withElastic(new Elastic("per-user", 20_000)))).isNull();
    assertThat(borrowsOf(pool.withClasses(classNamed(DemandClass.BORROWED.name())))).isNull();
    assertThat(borrowsOf(pool.withEnforcement(Enforcement.PER_INSTANCE))).isNull();
  }

  /** A rule file has none of that name, but a record may. */
  private static DemandClasses classNamed(String name) {
    return new DemandClasses(
        List.of(DemandClass.of(name, Map.of()), DemandClass.of("others", Map.of())));
  }

  /** Else it would be known only when the rules come into force, everywhere. */
  @Test
  void elastic_overrideOfWhichTooMuchMayBeBorrowed_isRefusedWithTheReason() {
    RuleOverride huge =
        RuleOverride.limited(Map.of("user", "big"), new FixedWindow(600_000_000_000L, SECOND));

    assertThatThrownBy(() -> elastic.withOverrides(List.of(huge)))
        .hasMessageStartingWith("must leave what an override may borrow within bounds: override=")
        .hasMessageContaining("upToBasisPoints=30000");
  }

  private RuleSet.@Nullable Borrowing borrowsOf(Rule lender) {
    return RuleSet.of(List.of(elastic, lender)).borrowing(USERS);
  }

  @Test
  void elastic_outOfRange_isRefusedWithTheReason() {
    assertThatThrownBy(() -> new Elastic("all", 10_000))
        .hasMessage("must be between 10100 and 1000000: upToBasisPoints=10000");
    assertThatThrownBy(() -> new Elastic("a b", 20_000))
        .hasMessage("must be the id of a rule: pool=a b");
    assertThatThrownBy(
            () ->
                Rule.of(USERS, List.of(), new FixedWindow(5, SECOND))
                    .withElastic(new Elastic("all", 11_000)))
        .hasMessage("must leave at least one permit to borrow: upToBasisPoints=11000");
  }

  @Test
  void matchedRules_withAPool_areAskedBeforeIt_andKnowWhatTheyBorrow() {
    RuleSet rules = RuleSet.of(List.of(elastic, pool));

    MatchedRules matched = MatchedRules.of(rules, rules.match(Request.of("user", "u")));

    assertThat(matched.all())
        .extracting(match -> match.quotaKey().toString())
        .containsExactly("d/per-user/u", "d/per-user.borrowed/u", "d/all");
    assertThat(matched.borrowing()).containsExactly(1, MatchedRules.NONE, MatchedRules.NONE);
    assertThat(matched.pools()).containsExactly(2, MatchedRules.NONE, MatchedRules.NONE);
    assertThat(matched.isBorrowed(1)).isTrue();
    assertThat(matched.isBorrowed(0)).isFalse();
  }
}
