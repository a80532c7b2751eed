/** Limits, fleets and their load, and what a fleet's admissions come to. */
@NullMarked
package io.quotaenforcer.bench.accuracy.scenario;

import org.jspecify.annotations.NullMarked;
