package io.quotaenforcer.spring.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;
import org.springframework.core.io.Resource;

/**
 * The connection to Kafka by {@code spring.kafka}, with or without Spring Kafka on the class path.
 * Settings of producers and consumers alone are left out. Immutable.
 *
 * @param properties of every Kafka client, of which those that concern the connection count
 */
record SpringKafka(
    @DefaultValue("localhost:9092") List<String> bootstrapServers,
    @DefaultValue Security security,
    @DefaultValue Ssl ssl,
    @DefaultValue Map<String, String> properties) {

  private static final List<String> PREFIXES = List.of("security.", "ssl.", "sasl.");

  /** Concern the connection, and are set for producers and consumers by their own names. */
  private static final Set<String> OF_BOTH = Set.of("client.dns.lookup", "connections.max.idle.ms");

  record Security(@Nullable String protocol) {}

  record Ssl(
      @Nullable String bundle,
      @Nullable String keyPassword,
      @Nullable String keyStoreCertificateChain,
      @Nullable String keyStoreKey,
      @Nullable Resource keyStoreLocation,
      @Nullable String keyStorePassword,
      @Nullable String keyStoreType,
      @Nullable String trustStoreCertificates,
      @Nullable Resource trustStoreLocation,
      @Nullable String trustStorePassword,
      @Nullable String trustStoreType,
      @Nullable String protocol) {}

  static SpringKafka of(Environment environment) {
    return Binder.get(environment).bindOrCreate("spring.kafka", SpringKafka.class);
  }

  /** As settings of an admission client. */
  Map<String, Object> settings() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", String.join(",", bootstrapServers));
    put(settings, "security.protocol", security.protocol);
    put(settings, "ssl.key.password", ssl.keyPassword);
    put(settings, "ssl.keystore.certificate.chain", ssl.keyStoreCertificateChain);
    put(settings, "ssl.keystore.key", ssl.keyStoreKey);
    put(settings, "ssl.keystore.location", path(ssl.keyStoreLocation));
    put(settings, "ssl.keystore.password", ssl.keyStorePassword);
    put(settings, "ssl.keystore.type", ssl.keyStoreType);
    put(settings, "ssl.truststore.certificates", ssl.trustStoreCertificates);
    put(settings, "ssl.truststore.location", path(ssl.trustStoreLocation));
    put(settings, "ssl.truststore.password", ssl.trustStorePassword);
    put(settings, "ssl.truststore.type", ssl.trustStoreType);
    put(settings, "ssl.protocol", ssl.protocol);
    properties.forEach(
        (key, value) -> {
          if (key.equals("bootstrap.servers") || PREFIXES.stream().anyMatch(key::startsWith)) {
            settings.put(key, value);
          } else if (OF_BOTH.contains(key)) {
            settings.put("producer." + key, value);
            settings.put("consumer." + key, value);
          }
        });
    return settings;
  }

  private static void put(Map<String, Object> settings, String key, @Nullable String value) {
    if (value != null) {
      settings.put(key, value);
    }
  }

  /** Kafka reads stores from files. */
  private static @Nullable String path(@Nullable Resource location) {
    try {
      return location == null ? null : location.getFile().getAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException("must be a file: spring.kafka.ssl location=" + location, e);
    }
  }
}
