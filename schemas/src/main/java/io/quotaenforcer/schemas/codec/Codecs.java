package io.quotaenforcer.schemas.codec;

import static io.quotaenforcer.schemas.codec.CodecException.Reason.REGISTRY_REQUIRED;

import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes codecs that share one registry, or none. */
public final class Codecs implements AutoCloseable {
  private final @Nullable SchemaRegistry registry;
  private final boolean writesIds;

  private Codecs(@Nullable SchemaRegistry registry, boolean writesIds) {
    this.registry = registry;
    this.writesIds = writesIds;
  }

  /** Codecs that know the schemas on the class path, and need nothing else. */
  public static Codecs withoutRegistry() {
    return new Codecs(null, false);
  }

  /** Codecs that use a registry, which is asked as seldom as possible and closed with them. */
  public static Codecs with(SchemaRegistry registry) {
    return new Codecs(new GuardedSchemaRegistry(registry, System::nanoTime), true);
  }

  /** Codecs that read as those with a registry and write as those without: a step between. */
  public static Codecs readingWith(SchemaRegistry registry) {
    return new Codecs(new GuardedSchemaRegistry(registry, System::nanoTime), false);
  }

  /**
   * Codecs as configured: with a registry if {@code schema.registry.url} is set.
   *
   * <p>Settings are named as for Confluent's serializers: {@code schema.registry.url} (several,
   * separated by commas, are tried in turn), {@code record.format} ({@code registry} or {@code
   * single-object}: what is written; default registry), {@code auto.register.schemas} (default
   * true), {@code basic.auth.*}, {@code bearer.auth.*}, {@code schema.registry.ssl.*}, {@code
   * http.connect.timeout.ms} (default 2000), {@code http.read.timeout.ms} (default 3000). Others
   * are ignored.
   *
   * @throws CodecException if the registry's client is not on the class path
   */
  public static Codecs from(Map<String, ?> settings) {
    return from(settings, "");
  }

  /** All problems of settings, for {@link #from(Map)}. */
  public static List<String> complaints(Map<String, ?> settings) {
    return RegistrySettings.complaints(settings);
  }

  /**
   * Like {@link #from(Map)}.
   *
   * @param origin where the registry's URL is configured, in words for a message; may be empty
   */
  public static Codecs from(Map<String, ?> settings, String origin) {
    RegistrySettings registry = RegistrySettings.from(settings, origin);
    if (registry == null) {
      return withoutRegistry();
    }
    try {
      SchemaRegistry opened = ConfluentSchemaRegistry.open(registry);
      return registry.writesIds() ? with(opened) : readingWith(opened);
    } catch (NoClassDefFoundError e) {
      throw new CodecException(
          REGISTRY_REQUIRED,
          "schema.registry.url is set, and no registry's client is on the class path: add the"
              + " artifact io.quotaenforcer:quota-registry-client, or Confluent's own client",
          e);
    }
  }

  /** The registry; empty without one. */
  public Optional<SchemaRegistry> registry() {
    return Optional.ofNullable(registry);
  }

  /** A codec for the records of a topic. */
  @SafeVarargs
  public final <T extends WireRecord> RecordCodec<T> codec(
      String topic, RecordType<? extends T>... types) {
    return new RecordCodec<>(topic, List.of(types), registry, writesIds);
  }

  @Override
  public void close() {
    if (registry != null) {
      registry.close();
    }
  }
}
