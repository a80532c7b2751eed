package io.quotaenforcer.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The rules of a test, or of all tests of a class; those of a method are instead of its class's.
 * Each test has permits of its own, and takes what decides as a parameter: an {@link
 * io.quotaenforcer.client.Admission} (or {@link io.quotaenforcer.client.StandaloneAdmission}), and
 * the {@link io.quotaenforcer.client.spi.ManualClock} that it goes by.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(QuotaExtension.class)
public @interface QuotaRules {

  /** The text of a rule file, with {@code domain} and {@code rules}. */
  String value();

  /** When the clock begins, as ISO 8601 has it. */
  String start() default "2026-01-01T00:00:00Z";
}
