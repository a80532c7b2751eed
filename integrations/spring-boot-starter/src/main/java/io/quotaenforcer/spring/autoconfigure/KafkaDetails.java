package io.quotaenforcer.spring.autoconfigure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** Details of a connection to Kafka, which have a type of their own in each line of Spring Boot. */
final class KafkaDetails {
  private KafkaDetails() {}

  /**
   * As settings of an admission client.
   *
   * @param known null if there are none
   */
  static <D> Map<String, Object> settings(
      @Nullable D known,
      Function<D, List<String>> servers,
      Function<D, @Nullable String> protocol,
      Function<D, @Nullable SslBundle> bundle) {
    if (known == null) {
      return Map.of();
    }
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", String.join(",", servers.apply(known)));
    String security = protocol.apply(known);
    if (security != null && !security.isEmpty()) {
      settings.put("security.protocol", security);
    }
    SslBundle ssl = bundle.apply(known);
    if (ssl != null) {
      settings.putAll(BundleSslEngineFactory.settings(ssl));
    }
    return settings;
  }
}
