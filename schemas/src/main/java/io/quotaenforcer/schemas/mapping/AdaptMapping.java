package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.adapt.LimitCause;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.core.adapt.LoadSignal;
import io.quotaenforcer.core.message.LoadReport;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Loads of services, and what is in force of limits by them, to and from the wire. */
public final class AdaptMapping {
  private AdaptMapping() {}

  public static io.quotaenforcer.schemas.LoadSignal toRecord(LoadReport report) {
    Map<LoadQuantity, Double> values = report.signal().values();
    return new io.quotaenforcer.schemas.LoadSignal(
        report.instance(),
        report.domains().stream().sorted().toList(),
        report.leaving(),
        values.get(LoadQuantity.CPU),
        values.get(LoadQuantity.IN_FLIGHT),
        values.get(LoadQuantity.THROUGHPUT),
        values.get(LoadQuantity.LATENCY_P90),
        values.get(LoadQuantity.LATENCY_P99),
        values.get(LoadQuantity.ERRORS),
        values.get(LoadQuantity.QUEUE));
  }

  /** Throws IllegalArgumentException, naming the field, when a field cannot be right. */
  public static LoadReport fromRecord(io.quotaenforcer.schemas.LoadSignal record) {
    Map<LoadQuantity, Double> values = new EnumMap<>(LoadQuantity.class);
    put(values, LoadQuantity.CPU, record.cpu());
    put(values, LoadQuantity.IN_FLIGHT, record.inFlight());
    put(values, LoadQuantity.THROUGHPUT, record.throughput());
    put(values, LoadQuantity.LATENCY_P90, record.latencyP90Nanos());
    put(values, LoadQuantity.LATENCY_P99, record.latencyP99Nanos());
    put(values, LoadQuantity.ERRORS, record.errors());
    put(values, LoadQuantity.QUEUE, record.queue());
    String instance = Fields.required(record.instance(), "instance");
    List<String> domains = Fields.required(record.domains(), "domains");
    return new LoadReport(instance, Set.copyOf(domains), record.leaving(), new LoadSignal(values));
  }

  private static void put(
      Map<LoadQuantity, Double> values, LoadQuantity quantity, @Nullable Double value) {
    if (value != null) {
      // What cannot be right is refused by the signal, which names it.
      values.put(quantity, quantity.unit().believed(value).orElse(value));
    }
  }

  public static io.quotaenforcer.schemas.LimitInForce toRecord(LimitInForce inForce) {
    return new io.quotaenforcer.schemas.LimitInForce(
        inForce.basisPoints(),
        inForce.reason(),
        inForce.sinceMillis(),
        io.quotaenforcer.schemas.LimitCause.valueOf(inForce.cause().name()));
  }

  /** Throws IllegalArgumentException, naming the field, when a field cannot be right. */
  public static LimitInForce fromRecord(io.quotaenforcer.schemas.LimitInForce record) {
    return new LimitInForce(
        record.basisPoints(),
        LimitCause.valueOf(Fields.required(record.cause(), "cause").name()),
        Fields.required(record.reason(), "reason"),
        record.sinceMillis());
  }
}
