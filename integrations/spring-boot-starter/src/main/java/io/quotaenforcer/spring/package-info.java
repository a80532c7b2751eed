/**
 * The API for services with Spring Boot: {@link io.quotaenforcer.spring.Quota}, and customizers.
 */
@NullMarked
package io.quotaenforcer.spring;

import org.jspecify.annotations.NullMarked;
