package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Allowance;
import io.quotaenforcer.core.rule.Consequence;
import io.quotaenforcer.core.rule.CountWhen;
import io.quotaenforcer.core.rule.Edition;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Keeping;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Opening;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleScope;
import io.quotaenforcer.schemas.AttributeMatch;
import io.quotaenforcer.schemas.QuotaRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules, to and from the wire. */
public final class RuleMapping {
  private RuleMapping() {}

  /**
   * The record of a published rule.
   *
   * @param updatedAtMillis when this version is written, in milliseconds since 1970
   */
  public static QuotaRule toRecord(Rule rule, long updatedAtMillis) {
    return new QuotaRule(
        rule.id().domain(),
        rule.id().id(),
        conditions(rule),
        rule.key().names(),
        LimitMapping.toRecord(rule.limit()),
        rule.toleranceBasisPoints(),
        io.quotaenforcer.schemas.Enforcement.valueOf(rule.enforcement().name()),
        rule.overLimit().defers()
            ? io.quotaenforcer.schemas.OverLimit.DEFER
            : io.quotaenforcer.schemas.OverLimit.THROTTLE,
        io.quotaenforcer.schemas.OnUnavailable.valueOf(rule.onUnavailable().name()),
        io.quotaenforcer.schemas.Mode.valueOf(rule.mode().name()),
        rule.overrides().all().stream().map(OverrideMapping::toRecord).toList(),
        rule.version(),
        rule.generation(),
        updatedAtMillis,
        DeferralSpecMapping.toRecord(rule.overLimit()),
        KeyMapping.networks(rule.key()),
        rule.opening() instanceof Opening.Part part ? part.basisPoints() : null,
        rule.status(),
        ClassMapping.toRecords(rule.classes()),
        ElasticMapping.toRecord(rule.elastic()),
        MatchMapping.toRecords(rule.count().conditions()),
        EntitlementMapping.toRecord(rule.entitlements()),
        PenaltyMapping.toRecord(rule.penalty()),
        AdaptTermsMapping.toRecord(rule.adapt()));
  }

  /** Throws IllegalArgumentException, naming the field, when a field cannot be right. */
  public static Rule fromRecord(QuotaRule record) {
    String domain = Fields.required(record.domain(), "domain");
    RuleId id = Fields.read("id", () -> new RuleId(domain, Fields.required(record.id(), "id")));
    Allowance allowance = allowance(record);
    List<AttributeMatch> match = Fields.required(record.match(), "match");
    RuleScope scope =
        new RuleScope(
            MatchMapping.fromRecords(KeyMapping.withoutHashed(match), "match"),
            KeyMapping.fromRecord(
                Fields.required(record.key(), "key"),
                Fields.required(record.keyNetworks(), "keyNetworks"),
                KeyMapping.hashed(match)),
            ClassMapping.fromRecords(Fields.required(record.classes(), "classes")),
            new CountWhen(
                MatchMapping.fromRecords(
                    Fields.required(record.countWhen(), "countWhen"), "countWhen")));
    Consequence consequence =
        new Consequence(
            DeferralSpecMapping.fromRecord(
                Fields.required(record.overLimit(), "overLimit"), record.deferral()),
            Mode.valueOf(Fields.required(record.mode(), "mode").name()),
            record.status(),
            PenaltyMapping.fromRecord(record.penalty()));
    return new Rule(id, scope, allowance, keeping(record), consequence, edition(record));
  }

  /** With the attributes to be hashed: who does not know of hashes must not read the rule. */
  private static List<AttributeMatch> conditions(Rule rule) {
    List<AttributeMatch> conditions = new ArrayList<>(MatchMapping.toRecords(rule.match()));
    conditions.addAll(KeyMapping.hashed(rule.key()));
    return conditions;
  }

  private static Allowance allowance(QuotaRule record) {
    Limit limit = LimitMapping.fromRecord(Fields.required(record.limit(), "limit"), "limit");
    return new Allowance(
        limit,
        record.toleranceBasisPoints(),
        OverrideMapping.fromRecords(Fields.required(record.overrides(), "overrides"), limit),
        ElasticMapping.fromRecord(record.elastic()),
        EntitlementMapping.fromRecord(record.entitlements()),
        AdaptTermsMapping.fromRecord(record.adapt()));
  }

  private static Keeping keeping(QuotaRule record) {
    Keeping keeping =
        new Keeping(
            Enforcement.valueOf(Fields.required(record.enforcement(), "enforcement").name()),
            opening(record.opening()),
            OnUnavailable.valueOf(Fields.required(record.onUnavailable(), "onUnavailable").name()));
    Fields.check(
        keeping.enforcement() != Enforcement.STRICT
            || keeping.onUnavailable() == OnUnavailable.DENY,
        "must be DENY for a strict rule",
        "onUnavailable",
        keeping.onUnavailable());
    return keeping;
  }

  private static Edition edition(QuotaRule record) {
    Fields.check(record.version() >= 1, "must be >= 1", "version", record.version());
    Fields.check(
        record.generation() >= 1 && record.generation() <= record.version(),
        "must be between 1 and the version",
        "generation",
        record.generation());
    return new Edition(record.version(), record.generation());
  }

  private static Opening opening(@Nullable Integer basisPoints) {
    return basisPoints == null
        ? Opening.SHARED
        : Fields.read("opening", () -> new Opening.Part(basisPoints));
  }
}
