package io.quotaenforcer.schemas.codec;

import static io.quotaenforcer.schemas.codec.CodecException.Reason.REGISTRY_UNAVAILABLE;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a registry once per schema, and spares it for a while after a failure.
 *
 * <p>A topic can hold any number of unregistered ids, so absent schemas are remembered too, for a
 * short time and up to a number. One thread asks at a time: when the registry hangs, the others
 * fail with the first instead of waiting out a timeout each.
 */
final class GuardedSchemaRegistry implements SchemaRegistry {
  static final int MAX_REMEMBERED = 1024;

  /** Time for which a refusal is repeated without asking again. */
  static final Duration REFUSED_FOR = Duration.ofSeconds(10);

  /** Time after a failure during which the registry is not asked. */
  static final Duration AWAY_FOR = Duration.ofSeconds(1);

  private final SchemaRegistry registry;
  private final LongSupplier nanoClock;
  private final Map<Object, Object> answers = lastUsed();
  private final Map<Object, Failure> refusals = lastUsed();
  private @Nullable Failure away;

  GuardedSchemaRegistry(SchemaRegistry registry, LongSupplier nanoClock) {
    this.registry = registry;
    this.nanoClock = nanoClock;
  }

  @Override
  public int idOf(String subject, String schema) {
    return (Integer) ask(new Subject(subject, schema), () -> registry.idOf(subject, schema));
  }

  @Override
  public String schemaOf(int id) {
    return (String) ask(id, () -> registry.schemaOf(id));
  }

  @Override
  public boolean accepts(String subject, String schema) {
    return registry.accepts(subject, schema);
  }

  @Override
  public String location() {
    return registry.location();
  }

  @Override
  public void close() {
    registry.close();
  }

  private synchronized Object ask(Object question, Supplier<Object> request) {
    Object answer = answers.get(question);
    if (answer != null) {
      return answer;
    }
    throwIfCurrent(refusals.get(question));
    throwIfCurrent(away);
    try {
      answer = request.get();
      answers.put(question, answer);
      return answer;
    } catch (CodecException e) {
      if (e.reason() == REGISTRY_UNAVAILABLE) {
        away = new Failure(e, nanoClock.getAsLong() + AWAY_FOR.toNanos());
      } else {
        refusals.put(question, new Failure(e, nanoClock.getAsLong() + REFUSED_FOR.toNanos()));
      }
      throw e;
    }
  }

  private void throwIfCurrent(@Nullable Failure failure) {
    if (failure != null && nanoClock.getAsLong() - failure.untilNanos() < 0) {
      CodecException known = failure.exception();
      throw new CodecException(known.reason(), String.valueOf(known.getMessage()), known);
    }
  }

  private static <K, V> Map<K, V> lastUsed() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > MAX_REMEMBERED;
      }
    };
  }

  private record Subject(String name, String schema) {}

  private record Failure(CodecException exception, long untilNanos) {}
}
