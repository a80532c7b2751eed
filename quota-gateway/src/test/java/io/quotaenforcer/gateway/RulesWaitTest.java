package io.quotaenforcer.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.Readiness;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class RulesWaitTest {

  @Test
  void returns_onceTheRulesAreKnown() {
    AtomicInteger asked = new AtomicInteger();
    Admission admission =
        (Admission)
            Proxy.newProxyInstance(
                Admission.class.getClassLoader(),
                new Class<?>[] {Admission.class},
                (self, method, arguments) ->
                    asked.incrementAndGet() < 5
                        ? new Readiness.NotYet("reads the rules")
                        : new Readiness.Ready());

    RulesWait.await(admission);

    assertThat(asked).hasValue(5);
  }
}
