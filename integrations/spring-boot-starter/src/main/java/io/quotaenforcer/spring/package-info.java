/** What services with Spring Boot write: {@link io.quotaenforcer.spring.Quota}, and customizers. */
@NullMarked
package io.quotaenforcer.spring;

import org.jspecify.annotations.NullMarked;
