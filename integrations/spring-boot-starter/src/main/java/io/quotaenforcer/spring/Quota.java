package io.quotaenforcer.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Decides calls of a method, or of every public method of a class, by one rule:
 *
 * <pre>{@code
 * @Quota(value = "shop/orders", key = "#user.id")
 * Order place(User user, Cart cart) { ... }
 * }</pre>
 *
 * <p>A call that is not admitted does not run: it throws {@link
 * io.quotaenforcer.client.ThrottledException}, which a web application answers with the rule's
 * status. A method that returns a {@link java.util.concurrent.CompletionStage} is decided when it
 * is called, and gives a stage that has failed; one that returns a {@code Mono} or {@code Flux} is
 * decided, and run, each time that is subscribed to.
 *
 * <p>No other rule is asked. A call waits for its permits up to {@code quota.method.max-wait}, on
 * its thread unless it returns a stage, {@code Mono} or {@code Flux}; by default not at all, and a
 * rule with {@code enforcement: strict} then refuses the first calls of a key, until its permits
 * have come. A call that cannot be decided, since an expression fails or the rule does not exist,
 * is treated as {@code quota.on-failure} says.
 *
 * <p>As with all annotations of this kind, only calls from outside the bean are decided. Method
 * security goes before it; transactions and caches come after it.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Quota {

  /** The rule: {@code domain/rule-id}. */
  String value();

  /**
   * Expressions (SpEL) for the values of the rule's key attributes, in the rule's order: of
   * parameters ({@code #user.id}, {@code #p0}), of the target ({@code target.region}), of beans
   * ({@code @tenants.current()}). What is null counts as an empty text.
   */
  String[] key() default {};

  /** Expression (SpEL) for the permits that a call takes. */
  String cost() default "1";
}
