package io.quotaenforcer.spring.autoconfigure;

import java.security.KeyStore;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;

/**
 * Has Kafka's clients use an SSL bundle of the service. Settings are texts, so the bundle is found
 * by one. Made by Kafka; for any thread.
 */
public final class BundleSslEngineFactory implements SslEngineFactory {
  private static final String ID = "ssl.quota.bundle.id";
  private static final Map<String, SslBundle> BUNDLES = new ConcurrentHashMap<>();

  private @Nullable SslBundle bundle;
  private @Nullable Map<String, ?> configs;

  /** Settings of a client with a bundle. */
  static Map<String, Object> settings(SslBundle bundle) {
    String id =
        BUNDLES.entrySet().stream()
            .filter(each -> each.getValue() == bundle)
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseGet(() -> UUID.randomUUID().toString());
    BUNDLES.put(id, bundle);
    return Map.of(
        "ssl.engine.factory.class",
        BundleSslEngineFactory.class.getName(),
        ID,
        id,
        "ssl.protocol",
        bundle.getProtocol());
  }

  @Override
  public void configure(Map<String, ?> given) {
    configs = given;
    bundle = BUNDLES.get(String.valueOf(given.get(ID)));
  }

  private SslBundle bundle() {
    SslBundle known = bundle;
    if (known == null) {
      throw new IllegalStateException("must be configured with a bundle: " + ID);
    }
    return known;
  }

  @Override
  public SSLEngine createClientSslEngine(
      String peerHost, int peerPort, String endpointIdentification) {
    SSLEngine engine = bundle().createSslContext().createSSLEngine(peerHost, peerPort);
    SslOptions options = bundle().getOptions();
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm(endpointIdentification);
    if (options.getCiphers() != null) {
      parameters.setCipherSuites(options.getCiphers());
    }
    if (options.getEnabledProtocols() != null) {
      parameters.setProtocols(options.getEnabledProtocols());
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  @Override
  public SSLEngine createServerSslEngine(String peerHost, int peerPort) {
    throw new UnsupportedOperationException("is for clients");
  }

  @Override
  public boolean shouldBeRebuilt(Map<String, Object> nextConfigs) {
    return !nextConfigs.equals(configs);
  }

  @Override
  public Set<String> reconfigurableConfigs() {
    return Set.of();
  }

  @Override
  public @Nullable KeyStore keystore() {
    return bundle().getStores().getKeyStore();
  }

  @Override
  public @Nullable KeyStore truststore() {
    return bundle().getStores().getTrustStore();
  }

  @Override
  public void close() {}
}
