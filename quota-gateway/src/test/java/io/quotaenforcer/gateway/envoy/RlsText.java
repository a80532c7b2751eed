package io.quotaenforcer.gateway.envoy;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.UInt64Value;
import com.google.protobuf.Value;
import io.quotaenforcer.gateway.envoy.proto.RateLimitDescriptor;
import io.quotaenforcer.gateway.envoy.proto.RateLimitDescriptor.RateLimitOverride;
import io.quotaenforcer.gateway.envoy.proto.RateLimitRequest;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse.DescriptorStatus;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse.RateLimit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Envoy's messages as {@code their-answers.yaml} writes them. */
final class RlsText {
  private static final int UNLIMITED = -1;

  private RlsText() {}

  /** {@code domain +hits | key=value key=value +hits (permits/unit); key=value}. */
  static RateLimitRequest request(String text) {
    String[] parts = text.split("\\|", 2);
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder();
    for (String word : words(parts[0])) {
      if (word.startsWith("+")) {
        request.setHitsAddend(Integer.parseUnsignedInt(word, 1, word.length(), 10));
      } else {
        request.setDomain(word);
      }
    }
    if (parts.length > 1) {
      for (String descriptor : parts[1].split(";")) {
        request.addDescriptors(descriptor(descriptor));
      }
    }
    return request.build();
  }

  private static RateLimitDescriptor descriptor(String text) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    for (String word : words(text)) {
      if (word.startsWith("+") || word.startsWith("-")) {
        descriptor
            .setHitsAddend(UInt64Value.of(Long.parseUnsignedLong(word, 1, word.length(), 10)))
            .setIsNegativeHits(word.startsWith("-"));
      } else if (word.startsWith("(")) {
        String[] limit = word.substring(1, word.length() - 1).split("/");
        descriptor.setLimit(
            RateLimitOverride.newBuilder()
                .setRequestsPerUnit(Integer.parseInt(limit[0]))
                .setUnit(RateLimit.Unit.valueOf(limit[1].toUpperCase(Locale.ROOT))));
      } else {
        String[] entry = word.split("=", 2);
        descriptor.addEntries(
            RateLimitDescriptor.Entry.newBuilder().setKey(entry[0]).setValue(entry[1]));
      }
    }
    return descriptor.build();
  }

  private static String[] words(String text) {
    return text.isBlank() ? new String[0] : text.strip().split(" ");
  }

  /** {@code code | status; status | header, header}. */
  static String of(RateLimitResponse response) {
    String text =
        response.getOverallCode()
            + " | "
            + response.getStatusesList().stream()
                .map(RlsText::of)
                .collect(Collectors.joining("; "));
    return response.getResponseHeadersToAddCount() == 0
        ? text
        : text
            + " | "
            + response.getResponseHeadersToAddList().stream()
                .map(header -> header.getKey() + " " + header.getValue())
                .collect(Collectors.joining(", "));
  }

  private static String of(DescriptorStatus status) {
    if (!status.hasCurrentLimit()) {
      return status.getCode()
          + (status.getLimitRemaining() == UNLIMITED ? " unlimited" : " no limit")
          + (status.hasDurationUntilReset() ? " but it resets" : "");
    }
    RateLimit limit = status.getCurrentLimit();
    return "%s %s of %s/%s %ds%s"
        .formatted(
            status.getCode(),
            Integer.toUnsignedString(status.getLimitRemaining()),
            Integer.toUnsignedString(limit.getRequestsPerUnit()),
            limit.getUnit().toString().toLowerCase(Locale.ROOT),
            status.getDurationUntilReset().getSeconds(),
            limit.getName().isEmpty() ? "" : " " + limit.getName());
  }

  /** A struct as maps, lists and scalars; numbers are doubles. */
  static Map<String, Object> plain(Struct struct) {
    Map<String, Object> plain = new LinkedHashMap<>();
    new TreeMap<>(struct.getFieldsMap()).forEach((name, value) -> plain.put(name, plain(value)));
    return plain;
  }

  private static Object plain(Value value) {
    return switch (value.getKindCase()) {
      case STRUCT_VALUE -> plain(value.getStructValue());
      case LIST_VALUE -> plain(value.getListValue());
      case NUMBER_VALUE -> value.getNumberValue();
      case BOOL_VALUE -> value.getBoolValue();
      case STRING_VALUE -> value.getStringValue();
      case NULL_VALUE, KIND_NOT_SET -> throw new AssertionError("no value: " + value);
    };
  }

  private static Object plain(ListValue list) {
    return list.getValuesList().stream().map(RlsText::plain).toList();
  }
}
