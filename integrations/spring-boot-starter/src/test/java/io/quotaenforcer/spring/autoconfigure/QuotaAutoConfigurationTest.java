package io.quotaenforcer.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.StandaloneAdmission;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.spring.AdmissionClientCustomizer;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class QuotaAutoConfigurationTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner().withConfiguration(Ours.all());

  @Test
  void propertiesOfKafka_giveAClient_whichIsClosedWithTheContext() {
    runner
        .withPropertyValues(Ours.NO_KAFKA)
        .withPropertyValues(
            "spring.kafka.client-id=shop",
            "spring.kafka.consumer.group-id=shop",
            "spring.kafka.properties.max.poll.records=7",
            "spring.kafka.properties.client.dns.lookup=use_all_dns_ips",
            "spring.kafka.properties.sasl.mechanism=PLAIN",
            "quota.client.instance.id=closing",
            "quota.client.request.events=sampled",
            "quota.client.request.events.capacity=5",
            "quota.client.before-rules=deny")
        .run(
            context -> {
              AdmissionClient client = context.getBean(AdmissionClient.class);
              assertThat(client.instance()).isEqualTo("closing");
              assertThat(client.decide(Request.of("user", "a")))
                  .isEqualTo(new Decision.NotReady(false));
              assertThat(threads()).anyMatch(name -> name.endsWith("-closing"));
            });
    await().until(() -> threads().noneMatch(name -> name.endsWith("-closing")));
  }

  @Test
  void setting_thatIsUnknown_failsTheStart_withItsName() {
    runner
        .withPropertyValues(Ours.NO_KAFKA)
        .withPropertyValues("quota.client.max.kees=3")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("unknown setting: max.kees (did you mean max.keys?)"));
  }

  @Test
  void disabled_thereIsNothing() {
    runner
        .withPropertyValues("quota.enabled=false", Ours.RULES)
        .withBean("own", Admission.class, Ours::none)
        .run(
            context -> {
              assertThat(context).hasSingleBean(Admission.class);
              assertThat(context.getBeanDefinitionNames()).noneMatch(it -> it.contains("quota"));
            });
  }

  @Test
  void standaloneRules_needNoKafka() {
    runner
        .withPropertyValues(Ours.RULES)
        .run(
            context -> {
              StandaloneAdmission admission = context.getBean(StandaloneAdmission.class);
              Request request = Request.of("user", "a");
              assertThat(admission.tryAcquire(request)).isTrue();
              assertThat(admission.tryAcquire(request)).isTrue();
              assertThat(admission.decide(request).rule())
                  .map(RuleDecision::quotaKey)
                  .hasValueSatisfying(key -> assertThat(key).hasToString("shop/orders/a"));
            });
  }

  @Test
  void standaloneRules_thatAreNone_failTheStart() {
    runner
        .withPropertyValues("quota.standalone.rules=classpath:orders/none.yaml")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("must be a rule file: quota.standalone.rules="));
  }

  @Test
  void standaloneRules_withoutTheirReader_failTheStart_andSayWhatIsMissing() {
    runner
        .withPropertyValues(Ours.RULES)
        .withClassLoader(new FilteredClassLoader("io.quotaenforcer.rules"))
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("io.quotaenforcer:quota-rules"));
  }

  @Test
  void admissionOfTheService_goesBeforeOurs() {
    Admission own = Ours.none();
    runner
        .withPropertyValues(Ours.RULES)
        .withBean(Admission.class, () -> own)
        .run(
            context -> {
              assertThat(context.getBean(Admission.class)).isSameAs(own);
              assertThat(context).doesNotHaveBean(AdmissionClient.class);
            });
  }

  @Test
  void customizer_goesAfterTheProperties() {
    runner
        .withPropertyValues(Ours.NO_KAFKA)
        .withPropertyValues("quota.client.instance.id=other")
        .withBean(AdmissionClientCustomizer.class, () -> builder -> builder.instance("mine"))
        .run(
            context ->
                assertThat(context.getBean(AdmissionClient.class).instance()).isEqualTo("mine"));
  }

  @Test
  void telemetry_hearsOfWhatHappens() {
    List<String> heard = new ArrayList<>();
    ClientTelemetry telemetry =
        new ClientTelemetry() {
          @Override
          public void matchGivenUp(RuleId rule, String attribute, long times) {
            heard.add(rule + " " + attribute);
          }
        };
    runner
        .withPropertyValues("quota.standalone.rules=classpath:awkward/rules.yaml")
        .withBean(ClientTelemetry.class, () -> telemetry)
        .run(
            context -> {
              context
                  .getBean(Admission.class)
                  .decide(Request.of("api", "GET /" + "a".repeat(9999)));
              assertThat(heard).containsExactly("shop/awkward api");
            });
  }

  @Test
  void connectionDetails_goBeforeProperties() {
    Class<?> type = detailsType();
    runner
        .withPropertyValues(Ours.NO_KAFKA)
        .withBean(type, () -> cast(details(type)))
        .run(
            context ->
                assertThat(context.getBean(FoundConnection.class).settings())
                    .isEqualTo(
                        Map.of("bootstrap.servers", "a:1,b:2", "security.protocol", "SASL_SSL")));
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T> T cast(Object details) {
    return (T) details;
  }

  private static Stream<String> threads() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName);
  }

  private static Object details(Class<?> type) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "getBootstrapServers" -> List.of("a:1", "b:2");
              case "getSecurityProtocol" -> "SASL_SSL";
              case "hashCode" -> 1;
              case "toString" -> "details";
              default -> null;
            });
  }

  /** In another package on each line of Spring Boot. */
  private static Class<?> detailsType() {
    String name =
        Ours.isBoot4()
            ? "org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails"
            : "org.springframework.boot.autoconfigure.kafka.KafkaConnectionDetails";
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
