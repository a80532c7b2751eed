package io.quotaenforcer.spring.autoconfigure;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.core.env.Environment;

/** The admission client's settings: Spring's connection to Kafka, then what is its own. */
final class ClientSettings {
  private ClientSettings() {}

  /**
   * The settings of a client.
   *
   * @param bundles finds an SSL bundle by its name
   * @param found what is known of the connection that no property says; goes before {@code
   *     spring.kafka}
   * @param own by their names in the client's reference, or with {@code -} for each dot
   */
  static Map<String, Object> of(
      Environment environment,
      Function<String, SslBundle> bundles,
      Map<String, Object> found,
      Map<String, String> own) {
    SpringKafka kafka = SpringKafka.of(environment);
    Map<String, Object> settings = new HashMap<>(kafka.settings());
    String bundle = kafka.ssl().bundle();
    if (bundle != null && !bundle.isEmpty()) {
      settings.putAll(BundleSslEngineFactory.settings(bundles.apply(bundle)));
    }
    settings.putAll(found);
    own.forEach((key, value) -> settings.put(key.replace('-', '.'), value));
    return settings;
  }
}
