/** The code that JMH times: a class for each limiter, a method for each case. */
@NullMarked
package io.quotaenforcer.bench.decision.timed;

import org.jspecify.annotations.NullMarked;
