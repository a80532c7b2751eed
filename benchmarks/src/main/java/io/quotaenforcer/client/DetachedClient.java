package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.config.AdmissionConfig;
import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.Spreading;
import java.time.Duration;
import java.util.Map;

/**
 * An admission client that was not started: it decides like any other, by the same clock, and what
 * it decides by is put into its book by hand. So a decision can be timed with nothing else going
 * on. It is in the client's package, the only one of the benches that is, to reach what users must
 * not see.
 *
 * @param book where rules and answers are applied
 */
public record DetachedClient(AdmissionClient client, AllotmentBook book) {

  /**
   * A client that takes the enforcer for present, however long it is silent.
   *
   * @param maxInstances that a shared opening is divided by
   * @param spreading of permits that threads race for
   */
  public static DetachedClient create(Clocks clocks, int maxInstances, Spreading spreading) {
    AdmissionConfig config =
        AdmissionSettings.read(
            Map.of("bootstrap.servers", "127.0.0.1:9", "max.instances", maxInstances),
            plain -> patient(plain, spreading));
    AdmissionClient client = new AdmissionClient(config, clocks, ClientTelemetry.NONE);
    return new DetachedClient(client, client.book());
  }

  private static BookSettings patient(BookSettings plain, Spreading spreading) {
    return plain
        .with(
            new BookSettings.Reporting(
                plain.reportIntervalNanos(),
                plain.urgentIntervalNanos(),
                Duration.ofDays(1).toNanos()))
        .with(spreading);
  }
}
