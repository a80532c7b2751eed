/** Rules for Spring Cloud Gateway's own filter of limits. */
@NullMarked
package io.quotaenforcer.spring.gateway;

import org.jspecify.annotations.NullMarked;
