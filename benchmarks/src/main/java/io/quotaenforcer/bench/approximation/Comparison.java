package io.quotaenforcer.bench.approximation;

import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.enforcer.text.Figures;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Decides the same requests by the counter and by the log. */
final class Comparison {
  private final Requests requests;
  private final SlidingWindow limit;
  private final Counted counted;
  private final @Nullable Source[] sources;

  private Comparison(Requests requests, SlidingWindow limit, Counted counted) {
    this.requests = requests;
    this.limit = limit;
    this.counted = counted;
    this.sources = new Source[requests.sources()];
  }

  static Comparison run(Requests requests, SlidingWindow limit, Counted counted) {
    Comparison comparison = new Comparison(requests, limit, counted);
    requests.forEach(comparison::request);
    return comparison;
  }

  /** All sources. */
  Row all() {
    return row("all", source -> true);
  }

  /** Those that make half as many requests in some period as the limit has permits. */
  Row ofThoseThatReachHalf() {
    return row("half the limit", Source::reachesHalf);
  }

  private void request(int number, long nanos) {
    Source source = sources[number];
    if (source == null) {
      source = new Source(limit, counted, nanos);
      sources[number] = source;
    }
    source.request(nanos);
  }

  private Row row(String scope, Predicate<Source> wanted) {
    List<Source> found =
        Arrays.stream(sources)
            .filter(Objects::nonNull)
            .map(Objects::requireNonNull)
            .filter(wanted)
            .toList();
    long all = found.stream().mapToLong(source -> source.requests).sum();
    return new Row(
        requests.name(),
        counted.toString(),
        scope,
        Figures.limit(limit.permits(), limit.periodNanos() / 1e9),
        all,
        found.size(),
        found.stream().mapToLong(source -> source.letThrough).sum(),
        found.stream().mapToLong(source -> source.held).sum(),
        found.stream().mapToDouble(source -> source.differences).sum() * 100 / Math.max(1, all),
        (int)
            found.stream()
                .filter(source -> source.throttledByLog > 0 && source.throttledByCounter == 0)
                .count(),
        (int)
            found.stream()
                .filter(source -> source.throttledByCounter > 0 && source.throttledByLog == 0)
                .count());
  }
}
