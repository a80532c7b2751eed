/** Requests of WebFlux, and answers to refusals that controllers let escape. */
@NullMarked
package io.quotaenforcer.spring.web;

import org.jspecify.annotations.NullMarked;
