package io.quotaenforcer.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ReflectionUtils;

class QuotaHealthTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner().withConfiguration(Ours.all());

  @Test
  void rulesKnown_isUp() {
    runner
        .withPropertyValues(Ours.RULES)
        .run(
            context ->
                assertThat(health(context.getBean("quotaHealthIndicator")))
                    .isEqualTo("UP {rules=3, keys=0}"));
  }

  @Test
  void rulesNotKnown_isOutOfService_andSaysWhy() {
    runner
        .withPropertyValues(Ours.NO_KAFKA)
        .run(
            context ->
                assertThat(health(context.getBean("quotaHealthIndicator")))
                    .startsWith("OUT_OF_SERVICE {rules=0, keys=0, why="));
  }

  @Test
  void switchedOff_isNotThere() {
    runner
        .withPropertyValues(Ours.RULES, "management.health.quota.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("quotaHealthIndicator"));
    runner
        .withPropertyValues(Ours.RULES, "management.health.defaults.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("quotaHealthIndicator"));
  }

  /** Its type is another on each line of Spring Boot. */
  static String health(Object indicator) {
    Object health = call(indicator, "health");
    return call(health, "getStatus") + " " + call(health, "getDetails");
  }

  private static Object call(Object target, String method) {
    return ReflectionUtils.invokeMethod(
        ReflectionUtils.findMethod(target.getClass(), method), target);
  }
}
