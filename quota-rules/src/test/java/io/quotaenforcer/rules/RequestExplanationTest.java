package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.RandomRules;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.rules.RuleExplanation.Line;
import io.quotaenforcer.rules.RuleVerdict.Condition;
import io.quotaenforcer.rules.RuleVerdict.Counted;
import io.quotaenforcer.rules.RuleVerdict.Denied;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RequestExplanationTest {
  private static final int PARTITIONS = 16;
  private static final List<Rule> RULES =
      RuleFiles.rules(
          """
          domain: posts
          rules:
            - id: per-user
              match: {api: "POST *"}
              key: [user]
              limit: {permits: 1000, per: 1s}
              tolerance: 10%
              overrides:
                - {key: {user: vip}, limit: {permits: 5000}}
                - {key: {user: probe}, exempt: true}
            - id: all
              limit: {permits: 9000, per: 1m, algorithm: fixed-window}
              enforcement: strict
              mode: shadow
          """);

  @Test
  void lines_ofARuleThatMatches_sayWhyAndWhatItComesTo() {
    assertThat(lines(explain("user", "42", "api", "POST /posts"), 0))
        .containsExactly(
            "because: api begins with \"POST \"; the request has \"POST /posts\"",
            "because: user is there; the request has \"42\"",
            "quota key: posts/per-user/42",
            "partition: "
                + QuotaKey.of(new RuleId("posts", "per-user"), List.of("42")).partition(PARTITIONS)
                + " of 0 to 15",
            "limit: 1,000 permits in any 1s (sliding window), and 10% on top: 1,100 permits in all",
            "enforcement: balanced",
            "bound: at most 110,000 permits over the limit of a key in 1s (10,000 % of it): reached"
                + " if all of 100 instances open it at the same moment, each with 1,100",
            "bound away: at most 111,100 permits over the limit of a key in 1s (10,100 % of it),"
                + " the bound above included: reached when some instances are cut off while the"
                + " others spend the limit");
    assertThat(lines(explain("user", "42", "api", "POST /posts"), 1))
        .contains("because: it is about every request")
        .anyMatch(line -> line.startsWith("over it: shadow mode"));
  }

  @Test
  void lines_ofAnOverride_haveItsLimitAndNameTheRules() {
    RequestExplanation explained = explain("user", "vip", "api", "POST /");
    assertThat(lines(explained, 0))
        .contains(
            "limit: 5,000 permits in any 1s (sliding window), and 10% on top: 5,500 permits in all",
            "override: {user: vip} holds instead of the rule's 1,000 permits in any 1s (sliding"
                + " window)");
    Counted counted = (Counted) explained.verdicts().get(0).outcome();
    assertThat(counted.withTolerance().permits()).isEqualTo(5_500);
    assertThat(counted.bound().connected()).isEqualTo(550_000);
  }

  @Test
  void lines_ofAnExemptRequest_nameTheOverride() {
    RequestExplanation explained = explain("user", "probe", "api", "POST /");
    assertThat(VerdictWords.title(explained.verdicts().get(0)))
        .isEqualTo("posts/per-user matches, but exempts the request");
    assertThat(lines(explained, 0))
        .contains("override: {user: probe}: exempt, neither limited nor counted");
  }

  @Test
  void lines_ofARuleThatDoesNotMatch_areTheConditionsThatFail() {
    RequestExplanation explained = explain("api", "GET /posts");
    assertThat(VerdictWords.title(explained.verdicts().get(0)))
        .isEqualTo("posts/per-user does not match");
    assertThat(lines(explained, 0))
        .containsExactly(
            "fails: api begins with \"POST \"; the request has \"GET /posts\"",
            "fails: user is there; the request has none");
    assertThat(explained.matching()).hasSize(1);
  }

  @Test
  void lines_ofAnExpressionThatIsGivenUp_sayThatItCountsAsMet_asAtAClient() {
    RuleFile.Valid awkward =
        (RuleFile.Valid)
            RuleFile.parse(
                "rules.yaml",
                "{domain: d, rules: [{id: r, match: {api: {regex: '((a+)+)+b'}}, limit: {permits: 2,"
                    + " per: 1m}, over-limit: defer}]}");
    Request request = Request.of("api", "a".repeat(300));
    RequestExplanation explained = explain(awkward.rules(), request);
    assertThat(explained.matching()).hasSize(1);
    assertThat(RuleSet.of(awkward.rules()).match(request)).hasSize(1);
    assertThat(lines(explained, 0))
        .anyMatch(line -> line.startsWith("because: ") && line.endsWith("it counts as met"))
        .anyMatch(line -> line.startsWith("over it: deferred: "));
  }

  @Test
  void conditions_ofARule_tellWhichHold() {
    assertThat(explain("user", "42", "api", "GET /").verdicts().get(0).conditions())
        .extracting(Condition::attribute, Condition::value, Condition::holds)
        .containsExactly(
            tuple("api", Optional.of("GET /"), false), tuple("user", Optional.of("42"), true));
  }

  @Test
  void notes_nameAttributesThatNoRuleLooksAt() {
    assertThat(explain("usr", "42", "api", "POST /", "region", "eu").notes())
        .containsExactly(
            "no rule uses the attribute region",
            "no rule uses the attribute usr; did you mean user?");
    assertThat(explain("user", "42").notes()).isEmpty();
  }

  /** An explanation says the same as a client decides. */
  @Test
  void verdicts_ofAnyRulesAndRequest_agreeWithTheMatchingOfClients() {
    Seeded.check(
        500,
        random -> {
          List<Rule> rules = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            rules.add(RandomRules.rule(random, new RuleId("d", "r" + i)));
          }
          Request request = request(random, rules);
          Map<RuleId, QuotaKey> matched = new HashMap<>();
          RuleSet.of(rules)
              .match(request)
              .forEach(match -> matched.put(match.rule().id(), match.quotaKey()));
          Map<RuleId, QuotaKey> explained = new HashMap<>();
          for (RuleVerdict verdict : explain(rules, request).verdicts()) {
            if (verdict.outcome() instanceof Counted counted) {
              explained.put(verdict.rule().id(), counted.quotaKey());
              assertThat(counted.withTolerance())
                  .isEqualTo(verdict.rule().limitOf(counted.quotaKey()));
            }
            if (verdict.outcome() instanceof Denied denied) {
              explained.put(verdict.rule().id(), denied.quotaKey());
              assertThat(verdict.rule().denies(denied.quotaKey())).isTrue();
            }
            assertThat(VerdictWords.lines(verdict, PARTITIONS, 100)).isNotEmpty();
          }
          assertThat(explained).isEqualTo(matched);
        });
  }

  /** Attributes that the rules look at, with values that some of their conditions want. */
  private static Request request(SplittableRandom random, List<Rule> rules) {
    Map<String, String> attributes = new HashMap<>();
    for (Rule rule : rules) {
      rule.match()
          .forEach(
              (name, matcher) -> {
                if (matcher instanceof Matcher.Exact exact && random.nextInt(4) > 0) {
                  attributes.put(name, exact.value());
                } else if (matcher instanceof Matcher.Prefix prefix && random.nextInt(4) > 0) {
                  attributes.put(name, prefix.prefix() + "x");
                }
              });
      rule.overrides()
          .all()
          .forEach(
              override -> {
                if (random.nextBoolean()) {
                  override
                      .key()
                      .forEach(
                          (name, matcher) -> {
                            if (matcher instanceof Matcher.Exact exact) {
                              attributes.put(name, exact.value());
                            }
                          });
                }
              });
      rule.key().names().forEach(name -> attributes.putIfAbsent(name, "v" + random.nextInt(3)));
    }
    return new Request(attributes, 1);
  }

  private static RequestExplanation explain(String... namesAndValues) {
    return explain(RULES, Request.of(namesAndValues));
  }

  private static RequestExplanation explain(List<Rule> rules, Request request) {
    return RequestExplanation.of(request, rules, PARTITIONS, 100);
  }

  private static List<String> lines(RequestExplanation explained, int rule) {
    List<Line> lines = VerdictWords.lines(explained.verdicts().get(rule), PARTITIONS, 100);
    return lines.stream().map(line -> line.label() + ": " + line.text()).toList();
  }
}
