package io.quotaenforcer.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.StandaloneAdmission;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.micrometer.LimitMetrics;
import io.quotaenforcer.micrometer.MeteredAdmission;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/** Meters in the registry that Spring Boot makes. */
class QuotaMetricsTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner().withConfiguration(Ours.all());
  private final ApplicationContextRunner metered =
      runner.withConfiguration(AutoConfigurations.of(registry()));

  /** Their names are others on each line of Spring Boot. */
  private static Class<?>[] registry() {
    String at =
        Ours.isBoot4()
            ? "org.springframework.boot.micrometer.metrics.autoconfigure."
            : "org.springframework.boot.actuate.autoconfigure.metrics.";
    return Stream.of(
            "MetricsAutoConfiguration",
            "CompositeMeterRegistryAutoConfiguration",
            "export.simple.SimpleMetricsExportAutoConfiguration")
        .map(name -> ClassUtils.resolveClassName(at + name, Ours.class.getClassLoader()))
        .toArray(Class<?>[]::new);
  }

  @Test
  void decisions_areCounted_andHealthStillSaysTheKeys() {
    metered
        .withPropertyValues(Ours.RULES)
        .run(
            context -> {
              context.getBean(Admission.class).decide(Request.of("no", "rule"));

              assertThat(
                      context
                          .getBean(MeterRegistry.class)
                          .get("rate_limiting.requests")
                          .tag("result", "unmatched")
                          .counter()
                          .count())
                  .isEqualTo(1);
              assertThat(context).hasSingleBean(StandaloneAdmission.class);
              assertThat(QuotaHealthTest.health(context.getBean("quotaHealthIndicator")))
                  .isEqualTo("UP {rules=3, keys=0}");
            });
  }

  @Test
  void client_showsWhatItHolds_andLimitsThatItsLoadChanges() {
    metered
        .withPropertyValues(Ours.NO_KAFKA)
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(registry.get("rate_limiting.rules").gauge().value()).isZero();
              assertThat(context).hasSingleBean(AdmissionClient.class);
              assertThat(context.getBean(Admission.class)).isInstanceOf(MeteredAdmission.class);
              assertThat(context.getBean(ClientTelemetry.class)).isInstanceOf(LimitMetrics.class);
            });
  }

  @Test
  void telemetry_ofTheService_goesBeforeOurs() {
    ClientTelemetry own =
        new ClientTelemetry() {
          @Override
          public void limitInForce(RuleId rule, Optional<LimitInForce> now) {}
        };
    metered
        .withPropertyValues(Ours.NO_KAFKA)
        .withBean("own", ClientTelemetry.class, () -> own)
        .run(context -> assertThat(context.getBean(ClientTelemetry.class)).isSameAs(own));
  }

  @Test
  void admission_ofTheService_isItsOwnToMeter() {
    Admission own = Ours.none();
    metered
        .withBean("own", Admission.class, () -> own)
        .run(context -> assertThat(context.getBean(Admission.class)).isSameAs(own));
  }

  @Test
  void withoutARegistry_orWithoutOurMeters_nothingIsMetered() {
    runner
        .withPropertyValues(Ours.RULES)
        .run(context -> assertThat(context).doesNotHaveBean(MeteredAdmission.class));
    metered
        .withPropertyValues(Ours.RULES)
        .withClassLoader(new FilteredClassLoader("io.quotaenforcer.micrometer"))
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(Admission.class)).isInstanceOf(StandaloneAdmission.class);
            });
  }
}
