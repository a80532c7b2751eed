package io.quotaenforcer.gateway.envoy;

import com.google.protobuf.Duration;
import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse.Code;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse.DescriptorStatus;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse.HeaderValue;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse.RateLimit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decided descriptors as an answer to Envoy. Pure functions. */
final class Answer {
  private static final long NANOS = 1_000_000_000L;
  private static final long MOST = 0xffff_ffffL;

  private Answer() {}

  /** Over if any ordinary descriptor is, or all of those in quota mode. */
  static boolean isOver(List<Asked> asked) {
    boolean hasQuotaMode = false;
    boolean hasRoom = false;
    for (Asked each : asked) {
      if (each.isQuotaMode()) {
        hasQuotaMode = true;
        hasRoom |= !each.isOver();
      } else if (each.isOver()) {
        return true;
      }
    }
    return hasQuotaMode && !hasRoom;
  }

  /**
   * The answer.
   *
   * @param isOver whether the request is refused, so that what its descriptors took was given back
   * @param withHeaders whether it has rate limit headers
   */
  static RateLimitResponse of(List<Asked> asked, boolean isOver, boolean withHeaders) {
    RateLimitResponse.Builder answer =
        RateLimitResponse.newBuilder().setOverallCode(isOver ? Code.OVER_LIMIT : Code.OK);
    Optional<DescriptorStatus> least = Optional.empty();
    boolean leastRefuses = false;
    for (Asked each : asked) {
      DescriptorStatus status = status(each, isOver);
      answer.addStatuses(status);
      boolean refuses = each.isOver() && !each.isQuotaMode();
      if (status.hasCurrentLimit()
          && (refuses == leastRefuses
              ? least.map(known -> isLess(status, known)).orElse(true)
              : refuses)) {
        least = Optional.of(status);
        leastRefuses = refuses;
      }
      if (!each.isOver() && !each.counted().map(Counted::metadata).orElse(Map.of()).isEmpty()) {
        merge(answer.getDynamicMetadataBuilder(), struct(each.counted().get().metadata()));
      }
    }
    if (withHeaders) {
      least.ifPresent(status -> addHeaders(answer, status));
    }
    return answer.build();
  }

  private static boolean isLess(DescriptorStatus one, DescriptorStatus other) {
    return Integer.compareUnsigned(one.getLimitRemaining(), other.getLimitRemaining()) < 0;
  }

  private static DescriptorStatus status(Asked asked, boolean wasGivenBack) {
    DescriptorStatus.Builder status =
        DescriptorStatus.newBuilder().setCode(asked.isOver() ? Code.OVER_LIMIT : Code.OK);
    if (asked.counted().isEmpty()) {
      return status.build();
    }
    Counted counted = asked.counted().get();
    if (counted.isUnlimited()) {
      return status.setLimitRemaining((int) MOST).build();
    }
    // A rule that is not in force, or not known yet, limits nothing.
    Optional<RuleDecision> standing = asked.standing();
    if (standing.isEmpty()) {
      return status.build();
    }
    RuleDecision rule = standing.get();
    RateLimit.Builder limit =
        RateLimit.newBuilder()
            .setRequestsPerUnit(unsigned(counted.permits()))
            .setUnit(Units.of(counted.periodNanos()));
    counted.name().ifPresent(limit::setName);
    long givenBack = (wasGivenBack || asked.onlyLooked()) && !asked.isOver() ? asked.permits() : 0;
    long remaining = rule.hadRoom() ? rule.remaining() + givenBack : 0;
    return status
        .setCurrentLimit(limit)
        .setLimitRemaining(unsigned(Math.min(remaining, counted.permits())))
        .setDurationUntilReset(
            Duration.newBuilder().setSeconds((rule.resetNanos() + NANOS - 1) / NANOS))
        .build();
  }

  private static int unsigned(long value) {
    return (int) Math.min(MOST, Math.max(0, value));
  }

  private static void addHeaders(RateLimitResponse.Builder answer, DescriptorStatus least) {
    add(
        answer,
        "RateLimit-Limit",
        Integer.toUnsignedString(least.getCurrentLimit().getRequestsPerUnit()));
    add(answer, "RateLimit-Remaining", Integer.toUnsignedString(least.getLimitRemaining()));
    add(answer, "RateLimit-Reset", Long.toString(least.getDurationUntilReset().getSeconds()));
  }

  private static void add(RateLimitResponse.Builder answer, String name, String value) {
    answer.addResponseHeadersToAdd(HeaderValue.newBuilder().setKey(name).setValue(value));
  }

  /** Adds fields. Existing values stay; structs of the same name are merged. */
  private static void merge(Struct.Builder into, Struct from) {
    from.getFieldsMap()
        .forEach(
            (name, value) -> {
              Value known = into.getFieldsMap().get(name);
              if (known == null) {
                into.putFields(name, value);
              } else if (known.hasStructValue() && value.hasStructValue()) {
                Struct.Builder both = known.getStructValue().toBuilder();
                merge(both, value.getStructValue());
                into.putFields(name, Value.newBuilder().setStructValue(both).build());
              }
            });
  }

  private static Struct struct(Map<?, ?> values) {
    Struct.Builder struct = Struct.newBuilder();
    values.forEach((name, value) -> struct.putFields(String.valueOf(name), value(value)));
    return struct.build();
  }

  private static Value value(Object value) {
    Value.Builder built = Value.newBuilder();
    if (value instanceof Map<?, ?> map) {
      return built.setStructValue(struct(map)).build();
    }
    if (value instanceof List<?> list) {
      ListValue.Builder items = ListValue.newBuilder();
      list.forEach(item -> items.addValues(value(item)));
      return built.setListValue(items).build();
    }
    if (value instanceof Boolean truth) {
      return built.setBoolValue(truth).build();
    }
    return value instanceof Double number
        ? built.setNumberValue(number).build()
        : built.setStringValue(String.valueOf(value)).build();
  }
}
