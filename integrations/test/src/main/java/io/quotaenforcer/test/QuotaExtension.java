package io.quotaenforcer.test;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.StandaloneAdmission;
import io.quotaenforcer.client.spi.ManualClock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests what {@link QuotaRules} says. */
public final class QuotaExtension implements ParameterResolver {
  private static final Namespace OURS = Namespace.create(QuotaExtension.class);

  /** The admission and clock of one test. */
  private record Decider(StandaloneAdmission admission, ManualClock clock) {
    List<Object> parts() {
      return List.of(admission, clock);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    Class<?> type = parameter.getParameter().getType();
    return type != Object.class
        && type != AutoCloseable.class
        && (type.isAssignableFrom(StandaloneAdmission.class) || type == ManualClock.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    Decider decider =
        test.getStore(OURS)
            .getOrComputeIfAbsent(test.getUniqueId(), id -> decider(test), Decider.class);
    return decider.parts().stream()
        .filter(parameter.getParameter().getType()::isInstance)
        .findFirst()
        .orElseThrow();
  }

  private static Decider decider(ExtensionContext test) {
    QuotaRules rules =
        find(test)
            .orElseThrow(
                () ->
                    new ExtensionConfigurationException(
                        "must have @QuotaRules at the test or its class: "
                            + test.getDisplayName()));
    try {
      ManualClock clock = new ManualClock(Instant.parse(rules.start()));
      return new Decider(
          AdmissionClient.standalone(
              io.quotaenforcer.rules.QuotaRules.parse(rules.value()), clock.clocks()),
          clock);
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new ExtensionConfigurationException("@QuotaRules: " + e.getMessage(), e);
    }
  }

  /** The rules of the method, its class, or a class around it. */
  private static Optional<QuotaRules> find(ExtensionContext test) {
    return test.getElement()
        .map(element -> element.getAnnotation(QuotaRules.class))
        .or(() -> test.getParent().flatMap(QuotaExtension::find));
  }
}
