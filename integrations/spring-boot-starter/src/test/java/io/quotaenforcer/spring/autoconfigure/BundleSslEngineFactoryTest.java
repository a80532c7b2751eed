package io.quotaenforcer.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyStore;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class BundleSslEngineFactoryTest {

  @Test
  void bundle_thatPropertiesName_isWhatKafkaConnectsWith() throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    SslBundle bundle =
        SslBundle.of(
            SslStoreBundle.of(null, null, trusted),
            SslBundleKey.NONE,
            SslOptions.of(null, new String[] {"TLSv1.3"}));
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("spring.kafka.ssl.bundle", "shop")));

    Map<String, Object> settings =
        ClientSettings.of(environment, Map.of("shop", bundle)::get, Map.of(), Map.of());

    SslEngineFactory factory =
        Class.forName((String) settings.get("ssl.engine.factory.class"))
            .asSubclass(SslEngineFactory.class)
            .getDeclaredConstructor()
            .newInstance();
    factory.configure(settings);
    SSLEngine engine = factory.createClientSslEngine("kafka.example", 9093, "https");
    assertThat(engine.getUseClientMode()).isTrue();
    assertThat(engine.getEnabledProtocols()).containsExactly("TLSv1.3");
    assertThat(engine.getSSLParameters().getEndpointIdentificationAlgorithm()).isEqualTo("https");
    assertThat(engine.getPeerHost()).isEqualTo("kafka.example");
    assertThat(factory.truststore()).isSameAs(trusted);
    assertThat(factory.shouldBeRebuilt(settings)).isFalse();
  }
}
