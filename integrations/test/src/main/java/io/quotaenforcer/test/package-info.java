/**
 * For tests of services: rules from YAML, decided in the test's own process, by a clock that the
 * test moves.
 */
@NullMarked
package io.quotaenforcer.test;

import org.jspecify.annotations.NullMarked;
