package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Opening;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Overrides;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.schemas.QuotaRule;
import java.util.Map;
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
        MatchMapping.toRecords(rule.match()),
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
        rule.opening() instanceof Opening.Part part ? part.basisPoints() : null);
  }

  /** Throws IllegalArgumentException, naming the field, when a field cannot be right. */
  public static Rule fromRecord(QuotaRule record) {
    String domain = Fields.required(record.getDomain(), "domain");
    RuleId id = Fields.read("id", () -> new RuleId(domain, Fields.required(record.getId(), "id")));
    Limit limit = LimitMapping.fromRecord(Fields.required(record.getLimit(), "limit"), "limit");
    Map<String, Matcher> match =
        MatchMapping.fromRecords(Fields.required(record.getMatch(), "match"), "match");
    Enforcement enforcement =
        Enforcement.valueOf(Fields.required(record.getEnforcement(), "enforcement").name());
    OverLimit overLimit =
        DeferralSpecMapping.fromRecord(
            Fields.required(record.getOverLimit(), "overLimit"), record.getDeferral());
    OnUnavailable onUnavailable =
        OnUnavailable.valueOf(Fields.required(record.getOnUnavailable(), "onUnavailable").name());
    Mode mode = Mode.valueOf(Fields.required(record.getMode(), "mode").name());
    Fields.check(
        enforcement != Enforcement.STRICT || onUnavailable == OnUnavailable.DENY,
        "must be DENY for a strict rule",
        "onUnavailable",
        onUnavailable);
    Fields.check(record.getVersion() >= 1, "must be >= 1", "version", record.getVersion());
    Fields.check(
        record.getGeneration() >= 1 && record.getGeneration() <= record.getVersion(),
        "must be between 1 and the version",
        "generation",
        record.getGeneration());
    RuleKey key =
        KeyMapping.fromRecord(
            Fields.required(record.getKey(), "key"),
            Fields.required(record.getKeyNetworks(), "keyNetworks"));
    Overrides overrides =
        OverrideMapping.fromRecords(Fields.required(record.getOverrides(), "overrides"), limit);
    return new Rule(
        id,
        match,
        key,
        limit,
        record.getToleranceBasisPoints(),
        enforcement,
        overLimit,
        onUnavailable,
        mode,
        opening(record.getOpening()),
        overrides,
        record.getVersion(),
        record.getGeneration());
  }

  private static Opening opening(@Nullable Integer basisPoints) {
    return basisPoints == null
        ? Opening.SHARED
        : Fields.read("opening", () -> new Opening.Part(basisPoints));
  }
}
