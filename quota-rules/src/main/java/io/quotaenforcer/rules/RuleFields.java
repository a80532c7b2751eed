package io.quotaenforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Allowance;
import io.quotaenforcer.core.rule.Consequence;
import io.quotaenforcer.core.rule.CountWhen;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.Edition;
import io.quotaenforcer.core.rule.Elastic;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Entitlements;
import io.quotaenforcer.core.rule.Keeping;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Opening;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.Overrides;
import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.core.rule.RuleScope;
import io.quotaenforcer.rules.RuleExplanation.Line;
import io.quotaenforcer.rules.RuleField.Reading;
import io.quotaenforcer.rules.Spelling.Doc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The fields of a rule: this one table serves to read and write rule files, to compare rules, and
 * to write their page.
 */
public final class RuleFields {
  static final RuleField<Rule, String> ID =
      RuleField.<Rule, String>required(
              Spelling.<Rule>of("id", rule -> YamlValues.text(rule.id().id()))
                  .doc("likewise", "required"),
              "give the rule a name of its own",
              (reading, node, name) -> reading.scalars().name(node, name))
          .toldElsewhere();

  static final RuleField<Rule, Map<String, Matcher>> MATCH =
      RuleField.<Rule, Map<String, Matcher>>optional(
              Spelling.<Rule>of("match", rule -> YamlValues.match(rule.match()))
                  .leftOutIf(rule -> rule.match().isEmpty())
                  .doc(
                      "conditions on attributes of the request, all of which must hold",
                      "every request"),
              Map.of(),
              (reading, node, name) -> new MatchReader(reading.problems()).read(node))
          .told("matches", told -> MatchWords.matches(told.rule()));

  static final RuleField<Rule, RuleKey> KEY =
      RuleField.optional(
              Spelling.<Rule>of("key", rule -> YamlValues.key(rule.key()))
                  .doc(
                      "attributes; each combination of their values is a quota key of its own",
                      "`[]`: one quota key for all")
                  .docs(
                      List.of(
                          new Doc(
                              "`key` item",
                              "the attribute's name, or `{attribute: ip, ipv4-prefix: 24,"
                                  + " ipv6-prefix: 64}`: [addresses by their"
                                  + " network](#addresses-by-their-network), or `{attribute: email,"
                                  + " hash: true}`: [values by their hash](#hashed-values)",
                              "whole values, in the clear"))),
              RuleKey.of(),
              (reading, node, name) ->
                  new KeyReader(reading.problems()).read(node, reading.get(MATCH)))
          .told(
              told ->
                  told.rule().key().hashes()
                      ? List.of(
                          new Line("counts by", MatchWords.key(told.rule())),
                          new Line("hashes", MatchWords.hashed(told.rule())))
                      : List.of(new Line("counts by", MatchWords.key(told.rule()))));

  static final RuleField<Rule, Limit> LIMIT =
      RuleField.<Rule, Limit>required(
              Spelling.<Rule>of("limit", rule -> LimitFields.text(rule.limit()))
                  .docs(Spelling.docsWithin("limit", LimitFields.SPELLINGS)),
              "give one such as limit: {permits: 2, per: 1s}",
              (reading, node, name) -> new LimitReader(reading.problems()).read(node))
          .told(told -> told.limits().lines());

  static final RuleField<Rule, DemandClasses> CLASSES =
      RuleField.<Rule, DemandClasses>optional(
              Spelling.<Rule>of("classes", rule -> ClassFields.text(rule.classes()))
                  .docs(ClassFields.DOCS),
              DemandClasses.NONE,
              (reading, node, name) ->
                  SlotFields.isAllowed(reading, node, name)
                      ? ClassFields.read(reading, node)
                      : null)
          .told(
              told ->
                  told.rule().classes().isEmpty()
                      ? List.of()
                      : List.of(new Line("served", ClassFields.words(told.rule().classes()))));

  static final RuleField<Rule, Integer> TOLERANCE =
      RuleField.optional(
              Spelling.<Rule>of("tolerance", rule -> Words.percent(rule.toleranceBasisPoints()))
                  .doc(
                      "`0%` to `100%` on top of the limit: 500 with `5%` admits 525, and"
                          + " [decisions](client.md#what-a-decision-says) say which are above 500",
                      "`0%`"),
              0,
              (reading, node, name) -> reading.scalars().percent(node, name, 0))
          .toldElsewhere();

  static final RuleField<Rule, Enforcement> ENFORCEMENT =
      new RuleField<Rule, Enforcement>(
              Spelling.<Rule>of("enforcement", rule -> Words.of(rule.enforcement()))
                  .doc(
                      "`strict`, `balanced`, `per-instance`; `strict` only with `limit.concurrent`",
                      "`balanced`; `strict` with `limit.concurrent`"),
              SlotFields::enforcement)
          .toldElsewhere();

  static final RuleField<Rule, Optional<Elastic>> ELASTIC =
      RuleField.<Rule, Optional<Elastic>>optional(
              Spelling.<Rule>of(ElasticFields.ELASTIC, ElasticFields::text)
                  .leftOutIf(rule -> rule.elastic().isEmpty())
                  .docs(ElasticFields.DOCS),
              Optional.empty(),
              (reading, node, name) ->
                  ElasticFields.read(
                      reading, node, reading.ifRight(LIMIT), reading.ifRight(ENFORCEMENT)))
          .told(
              told ->
                  told.rule().elastic().stream()
                      .map(it -> new Line("elastic", ElasticFields.words(it)))
                      .toList());

  static final RuleField<Rule, Opening> OPENING =
      RuleField.optional(
              Spelling.<Rule>of("opening", rule -> Words.of(rule.opening()))
                  .leftOutIf(rule -> rule.opening().equals(Opening.WHOLE))
                  .doc(
                      "of a `balanced` rule, [what an instance may admit](#enforcement) of a quota"
                          + " key that it has not heard of: `0%` to `100%` of the limit, or"
                          + " `shared`: a tenth of it, divided by `max-instances`, 1 at least",
                      "`100%`"),
              Opening.WHOLE,
              RuleFields::opening)
          .toldElsewhere();

  static final RuleField<Rule, OverLimit> OVER_LIMIT =
      RuleField.optional(
              Spelling.<Rule>of("over-limit", DeferralFields::word)
                  .doc(
                      "`throttle`; `defer`: what is throttled may be handed over and run later"
                          + " ([deferral](deferral.md)); not with `per-instance`,"
                          + " `limit.concurrent`, `limits-from`, `adapt`, `count` or `penalty`",
                      "`throttle`"),
              OverLimit.THROTTLE,
              (reading, node, name) ->
                  SlotFields.isDeferralAllowed(reading, node)
                      ? DeferralFields.overLimit(reading, node, reading.ifRight(ENFORCEMENT))
                      : null)
          .told("over it", told -> DeferralWords.over(told.rule()));

  /** The effect of {@link #OVER_LIMIT} with its terms. */
  static final RuleField<Rule, OverLimit> DEFERRAL =
      new RuleField<Rule, OverLimit>(
              Spelling.<Rule>of("deferral", DeferralFields::deferral)
                  .docs(Spelling.docsWithin("deferral", DeferralFields.SPELLINGS)),
              (reading, node) ->
                  DeferralFields.deferral(reading, node, reading.ifRight(OVER_LIMIT)))
          .toldElsewhere();

  static final RuleField<Rule, Boolean> LIMITS_FROM =
      RuleField.<Rule, Boolean>optional(
              Spelling.<Rule>of(EntitlementFields.LIMITS_FROM, EntitlementFields::limitsFrom)
                  .doc(
                      "`entitlements`: [data gives quota keys their limits](#limits-from-data); not"
                          + " with `elastic`, `over-limit: defer` or `limit.concurrent`",
                      "the limit is that of all quota keys"),
              false,
              EntitlementFields::limitsFrom)
          .toldElsewhere();

  /** The effect of {@link #LIMITS_FROM} with the plans. */
  static final RuleField<Rule, Optional<Entitlements>> PLANS =
      new RuleField<Rule, Optional<Entitlements>>(
              Spelling.<Rule>of(EntitlementFields.PLANS, EntitlementFields::plans)
                  .docs(EntitlementFields.DOCS),
              (reading, node) ->
                  EntitlementFields.plans(reading, node, reading.ifRight(LIMITS_FROM)))
          .told(
              told ->
                  told.rule().entitlements().stream()
                      .map(it -> new Line("by data", EntitlementFields.words(it)))
                      .toList());

  static final RuleField<Rule, Optional<AdaptTerms>> ADAPT =
      RuleField.<Rule, Optional<AdaptTerms>>optional(
              Spelling.<Rule>of(AdaptFields.ADAPT, AdaptWords::text).docs(AdaptFields.DOCS),
              Optional.empty(),
              (reading, node, name) -> AdaptFields.read(reading, node))
          .told(told -> told.rule().adapt().map(AdaptWords::lines).orElseGet(List::of));

  static final RuleField<Rule, CountWhen> COUNT =
      RuleField.<Rule, CountWhen>optional(
              Spelling.<Rule>of(CountFields.COUNT, rule -> CountFields.text(rule.count()))
                  .leftOutIf(rule -> rule.count().isAlways())
                  .docs(CountFields.DOCS),
              CountWhen.ALWAYS,
              (reading, node, name) ->
                  CountFields.read(
                      reading, node, reading.ifRight(LIMIT), reading.ifRight(OVER_LIMIT)))
          .told(
              told ->
                  told.rule().count().isAlways()
                      ? List.of()
                      : List.of(new Line("counts", CountFields.words(told.rule().count()))));

  static final RuleField<Rule, Optional<PenaltyTerms>> PENALTY =
      RuleField.<Rule, Optional<PenaltyTerms>>optional(
              Spelling.<Rule>of(PenaltyFields.PENALTY, PenaltyFields::text)
                  .docs(PenaltyFields.DOCS),
              Optional.empty(),
              PenaltyFields::read)
          .told(
              told ->
                  told.rule().penalty().stream()
                      .map(it -> new Line("penalty", PenaltyFields.words(it)))
                      .toList());

  static final RuleField<Rule, OnUnavailable> ON_UNAVAILABLE =
      new RuleField<Rule, OnUnavailable>(
              Spelling.<Rule>of("on-unavailable", rule -> Words.of(rule.onUnavailable()))
                  .doc(
                      "`local`, `allow`, `deny`; `strict` allows `deny` only",
                      "`local`; `deny` with `strict`"),
              RuleFields::onUnavailable)
          .told(told -> told.bounds().lines());

  static final RuleField<Rule, Mode> MODE =
      RuleField.word("mode", Mode.ENFORCE, Rule::mode, "`enforce`, `shadow`").toldElsewhere();

  static final RuleField<Rule, Integer> STATUS =
      RuleField.optional(
          Spelling.<Rule>of("status", rule -> Integer.toString(rule.status()))
              .leftOutIf(rule -> rule.status() == Consequence.TOO_MANY_REQUESTS)
              .doc(
                  "`429`, `503`, `403`: the HTTP status of an [answer](headers.md) that refuses a"
                      + " request",
                  "`429`"),
          Consequence.TOO_MANY_REQUESTS,
          RuleFields::status);

  static final RuleField<Rule, Overrides> OVERRIDES =
      RuleField.optional(
              Spelling.<Rule>of("overrides", RuleFields::overrides)
                  .doc(
                      "[what holds instead for some quota keys](#overrides), at most 10,000 in a"
                          + " rule",
                      "none"),
              Overrides.of(List.of()),
              (reading, node, name) ->
                  Overrides.of(
                      new OverrideReader(reading.problems())
                          .read(node, reading.ifRight(KEY), reading.ifRight(LIMIT))))
          .toldElsewhere();

  /** In the order of reading, writing and explaining. */
  static final List<RuleField<Rule, ?>> ALL =
      List.of(
          ID,
          MATCH,
          KEY,
          LIMIT,
          CLASSES,
          TOLERANCE,
          ENFORCEMENT,
          ELASTIC,
          OPENING,
          OVER_LIMIT,
          DEFERRAL,
          LIMITS_FROM,
          PLANS,
          ADAPT,
          COUNT,
          PENALTY,
          ON_UNAVAILABLE,
          MODE,
          STATUS,
          OVERRIDES);

  static final List<Spelling<Rule>> SPELLINGS = RuleField.spellings(ALL);

  private RuleFields() {}

  /** The page's rows for every field, in order. */
  public static List<Doc> docs() {
    List<Doc> docs = new ArrayList<>();
    docs.add(new Doc("`domain`", "1 to 100 of `A-Z a-z 0-9 . _ -`", "required"));
    SPELLINGS.forEach(field -> docs.addAll(field.docs()));
    return docs;
  }

  static Reading read(Fields fields, Problems problems) {
    return Reading.of(fields, ALL, problems);
  }

  /**
   * The rule of these values, unpublished.
   *
   * @throws IllegalArgumentException if they contradict each other
   */
  static Rule toRule(String domain, Reading values) {
    return new Rule(
        new RuleId(domain, values.get(ID)),
        new RuleScope(values.get(MATCH), values.get(KEY), values.get(CLASSES), values.get(COUNT)),
        new Allowance(
            values.get(LIMIT),
            values.get(TOLERANCE),
            values.get(OVERRIDES),
            values.get(ELASTIC),
            values.get(PLANS),
            values.get(ADAPT)),
        new Keeping(values.get(ENFORCEMENT), values.get(OPENING), values.get(ON_UNAVAILABLE)),
        new Consequence(
            values.get(DEFERRAL), values.get(MODE), values.get(STATUS), values.get(PENALTY)),
        Edition.UNPUBLISHED);
  }

  private static @Nullable Integer status(Reading reading, Node node, String name) {
    String text = reading.scalars().text(node, name);
    Optional<Integer> status =
        Consequence.STATUSES.stream().filter(each -> each.toString().equals(text)).findFirst();
    if (status.isEmpty() && text != null) {
      reading.problems().at(node, "status must be 429, 503 or 403, not " + Problems.quote(text));
    }
    return status.orElse(null);
  }

  private static @Nullable Opening opening(Reading reading, Node node, String name) {
    Enforcement enforcement = reading.ifRight(ENFORCEMENT);
    if (enforcement != null && enforcement != Enforcement.BALANCED) {
      reading
          .problems()
          .at(node, "opening is for balanced rules; leave it out, or use enforcement: balanced");
      return null;
    }
    if ("shared".equals(reading.scalars().text(node, name))) {
      return Opening.SHARED;
    }
    Integer basisPoints = reading.scalars().percent(node, name, 0);
    return basisPoints == null ? null : new Opening.Part(basisPoints);
  }

  /** {@code {key: {user: probe}, exempt: true}}. */
  static String text(RuleOverride override) {
    String effect = "deny: true";
    if (override.effect() instanceof OverrideEffect.Limited limited) {
      effect = "limit: " + LimitFields.text(limited.limit());
    } else if (override.effect() instanceof OverrideEffect.Exempt) {
      effect = "exempt: true";
    }
    return "{key: %s, %s}".formatted(YamlValues.match(override.key()), effect);
  }

  private static String overrides(Rule rule) {
    return rule.overrides().all().stream()
        .map(override -> "\n      - " + text(override))
        .collect(Collectors.joining());
  }

  private static @Nullable OnUnavailable onUnavailable(Reading reading, @Nullable Node node) {
    boolean strict = reading.ifRight(ENFORCEMENT) == Enforcement.STRICT;
    if (node == null) {
      return strict ? OnUnavailable.DENY : OnUnavailable.LOCAL;
    }
    OnUnavailable given =
        reading.scalars().constant(node, "on-unavailable", OnUnavailable.values());
    if (strict && given != null && given != OnUnavailable.DENY) {
      reading
          .problems()
          .at(
              node,
              "enforcement: strict implies on-unavailable: deny, not "
                  + Words.of(given)
                  + "; use deny, or leave it out");
    }
    return given;
  }
}
