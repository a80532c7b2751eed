/** Measures how much strict limits admit through outages. */
@NullMarked
package io.quotaenforcer.bench.outage;

import org.jspecify.annotations.NullMarked;
