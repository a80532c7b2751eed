/** Beans for services with Spring Boot 3.5 and 4, by what is on their class path. */
@NullMarked
package io.quotaenforcer.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
