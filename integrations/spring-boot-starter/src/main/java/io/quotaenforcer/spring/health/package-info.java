/** Whether requests are decided by rules, as a health contributor of either line of Spring Boot. */
@NullMarked
package io.quotaenforcer.spring.health;

import org.jspecify.annotations.NullMarked;
